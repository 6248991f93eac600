"""Exceptions. Each message is one line: the problem, its location, and the remedy."""


class JungletbError(Exception):
    """Base class of all exceptions of this package."""


class PositionError(JungletbError, ValueError):
    """A string or an array is not a position of the game."""


class MaterialError(JungletbError, ValueError):
    """A string is not a material such as ``ERvL``."""


class RulesError(JungletbError, ValueError):
    """The rules are unknown, or a rule file is malformed."""


class ClosedError(JungletbError, ValueError):
    """The tablebase is closed."""


class MissingTableError(JungletbError, KeyError):
    """A table is missing. The message names the command that generates it."""

    def __str__(self) -> str:
        # KeyError.__str__ would add quotes.
        return Exception.__str__(self)


class TableError(JungletbError):
    """A table is damaged, unreadable or of another game."""


class TableIOError(TableError, OSError):
    """A table could not be read because of an I/O error."""
