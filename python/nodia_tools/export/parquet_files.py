"""Writes Parquet files with the names of LeRobot v3.0: chunk-000/file-000.parquet, chunk-000/file-001.parquet, ..."""

import pyarrow.parquet as parquet

FILES_A_CHUNK = 1000
PATH = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"


class ParquetFiles:
    """Writes row groups in sequence to files of one schema. A new file starts if the next group would exceed the size limit.

    The bytes of a file depend only on its tables.

    @param limit_bytes  size limit of a file; only a single larger group exceeds it
    """

    def __init__(self, folder, schema, limit_bytes):
        self._folder, self._schema, self._limit_bytes = folder, schema, limit_bytes
        self._number, self._file, self._writer = 0, None, None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._close()

    def place(self, n_bytes):
        """Numbers of the chunk and of the file to which the next group of at most `n_bytes` will be written."""
        if self._file is not None and self._file.tell() + n_bytes > self._limit_bytes:
            self._close()
            self._number += 1
        return divmod(self._number, FILES_A_CHUNK)

    def write(self, table):
        """Writes a group.

        @param table  table of the schema with at least one row
        """
        chunk, file = self.place(table.nbytes)
        if self._file is None:
            path = self._folder / PATH.format(chunk_index=chunk, file_index=file)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("wb")
            self._writer = parquet.ParquetWriter(self._file, self._schema, compression="snappy", use_dictionary=True)
        self._writer.write_table(table, row_group_size=table.num_rows)

    def _close(self):
        if self._file is not None:
            try:
                self._writer.close()
            finally:
                self._file.close()
                self._file = self._writer = None
