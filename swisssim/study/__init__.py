"""Big studies: a grid of comparisons in chunks that survive whatever happens to the run.

A study is written in a TOML file (`load`) and computed in a folder (`run`, `resume`, `merge`). Its chunks are fixed by
the study alone; each is written completely or not at all, with checksums, and only sums are kept in memory. So a run
that is killed loses the chunks under way and nothing else, and any number of threads, processes, machines, shards and
interruptions ends in the same bytes.
"""

from __future__ import annotations

from swisssim.study._design import Cell, Shard, Study, Task
from swisssim.study._run import StudyFolder, merge, read, resume, run
from swisssim.study._toml import KEYS, load

__all__ = ["KEYS", "Cell", "Shard", "Study", "StudyFolder", "Task", "load", "merge", "read", "resume", "run"]
