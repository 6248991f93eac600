"""Rule sets."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final, Union

from jungletb import _native
from jungletb._errors import RulesError

PRESETS: Final = tuple(_native.PRESETS)
"""Names of the built-in rule sets."""


class Rules:
    """A rule set: the name of a preset, or the path of a rule file that ends in ``.toml``.

    >>> Rules("leiden").to_dict()["elephant_takes_rat"]
    'always'
    >>> Rules("chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    jungletb._errors.RulesError: unknown rules "chess": name a preset (standard, ...) or a file ending in .toml
    """

    __slots__ = ("_rules",)
    _rules: _native.Rules

    def __init__(self, preset_or_file: Union[str, os.PathLike[str]] = "standard") -> None:
        self._rules = _native.Rules.load(os.fspath(preset_or_file))

    @classmethod
    def from_dict(cls, keys: Mapping[str, Any], name: str) -> Rules:
        """Creates rules from the keys of a rule file; ``base`` names a preset, every other key overrides it.

        ``name`` is the name of the folder with the tables of these rules.

        >>> rules = Rules.from_dict({"base": "leiden", "jumps": {"leopard": "across"}}, name="house")
        >>> rules.name, rules.to_dict()["jumps"]["leopard"]
        ('house', 'across')
        """
        try:
            text = json.dumps(dict(keys))
        except TypeError as error:
            raise RulesError(f"bad rules: {error}") from None
        rules = cls.__new__(cls)
        rules._rules = _native.Rules.from_json(name, text)
        return rules

    @property
    def name(self) -> str:
        """The name of the folder with the tables of these rules."""
        return self._rules.name

    def to_dict(self) -> dict[str, Any]:
        """Returns every key with its value, in the form accepted by :meth:`from_dict`."""
        keys: dict[str, Any] = json.loads(self._rules.to_json())
        return keys

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._rules == other._rules

    def __hash__(self) -> int:
        return hash((self.name, self._rules.to_json()))

    def __repr__(self) -> str:
        return f"<Rules {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules.from_dict, (self.to_dict(), self.name)
