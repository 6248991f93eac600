"""Exceptions. Each message is one line: the problem, its location, and the remedy."""

from __future__ import annotations

from typing import Optional


class JungletbError(Exception):
    """Base class of all exceptions of this package."""


class PositionError(JungletbError, ValueError):
    """A string or an array is not a position of the game."""


class MoveError(JungletbError, ValueError):
    """A string is not a legal move."""


class MaterialError(JungletbError, ValueError):
    """A string is not a material such as ``ERvL``."""


class RulesError(JungletbError, ValueError):
    """The rules are unknown, or a rule file is malformed."""


class ClosedError(JungletbError, ValueError):
    """The tablebase is closed."""


class MissingTableError(JungletbError, KeyError):
    """A table is missing."""

    material: Optional[str]
    """The material of the position, as in ``ERvL``."""
    class_: Optional[str]
    """The class whose table is missing; ``None`` if there are more pieces than any table has."""
    command: Optional[str]
    """The command that generates the table."""

    def __init__(
        self, message: str, material: Optional[str] = None, class_: Optional[str] = None, command: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.material, self.class_, self.command = material, class_, command

    def __str__(self) -> str:
        # KeyError.__str__ would add quotes.
        return Exception.__str__(self)


class TableError(JungletbError):
    """A table is damaged, unreadable or of another game."""

    filename: Optional[str]
    """The file."""

    def __init__(self, message: str, filename: Optional[str] = None) -> None:
        super().__init__(message)
        self.filename = filename


class TableIOError(TableError, OSError):
    """A table could not be read because of an I/O error: ``errno`` and ``filename`` are those of the system."""

    errno: int
    strerror: str

    def __init__(self, errno: int, message: str, filename: Optional[str] = None) -> None:
        OSError.__init__(self, errno, message, filename)

    def __str__(self) -> str:
        # OSError.__str__ would repeat number and file.
        return self.strerror
