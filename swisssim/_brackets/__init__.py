"""The bracket engine of the Dutch systems: players by rank with preferences and floats, generation order, exact choice."""
