"""PNG files, written with the standard library only."""

import struct
import zlib
from pathlib import Path

from nodia._core import InputError
from nodia.arguments import cannot_be_written, path_text


def encode(picture):
    """Bytes of a PNG file. @param picture  uint8 (height, width, 3)"""
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows, 6)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def write_png(path, picture):
    path = Path(path_text("path", path))
    if path.suffix.lower() != ".png":
        raise InputError(f"path = {path} (must end in .png)")
    try:
        path.write_bytes(encode(picture))
    except OSError as error:
        raise cannot_be_written(path, error) from None
