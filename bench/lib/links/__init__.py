"""Programs of several processes: `transport` and `heron`."""
