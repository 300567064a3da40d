"""What the 2012 Dutch writes to the trace about a bracket; called only when tracing is on, and changes nothing."""

from swisssim._state cimport State
from swisssim.pairing._dutch2012_bracket cimport Round, Task

# Who is in the bracket, who is set aside in it and why; why it is paired again, if it is. A bracket that is tried again is told about only
# when that helps, since everything stays as it was otherwise.
cdef void tell_bracket(State s, Round* r, Task* k) noexcept nogil

# Its pairs, the exchanges that they show, the criteria that they do not meet, and who is left unpaired by which rule.
cdef void tell_pairing(State s, Round* r, Task* k) noexcept nogil
