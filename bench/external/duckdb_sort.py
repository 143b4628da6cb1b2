"""Sorts a file of numbers, one on each line, by DuckDB: IN OUT MEMORY_BYTES SCRATCH."""

import sys

import duckdb

source, target, memory, scratch = sys.argv[1:]
database = duckdb.connect()
database.execute(f"SET memory_limit = '{int(memory) // 1000}KB'")
database.execute(f"SET temp_directory = '{scratch}'")
database.execute("SET threads = 2")
database.execute("SET preserve_insertion_order = false")
columns = "columns = {'key': 'UBIGINT'}"
rows = f"SELECT key FROM read_csv('{source}', header = false, auto_detect = false, {columns})"
database.execute(f"COPY ({rows} ORDER BY key) TO '{target}' (HEADER false)")
