"""Checks versions of nodia's file formats: `format` and `format_version` of a JSON object, `version` of an HDF5 group."""

from nodia_tools.command_line import InputError


def require_version(path, version, newest):
    """Raises InputError if a newer nodia than these tools wrote the file."""
    if not 1 <= version <= newest:
        raise InputError(
            f"{path}: format version {version} (must be at most {newest}: a newer nodia wrote it)"
        )


def require_format(path, data, name, newest):
    """Raises InputError if a JSON object has another format, or a newer version. An object without the keys has version 1."""
    if data.get("format", name) != name:
        raise InputError(f"{path}: format {data['format']} (must be {name})")
    require_version(path, data.get("format_version", 1), newest)
