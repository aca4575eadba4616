"""What a law may ask of the subject at hand: the profile, the depth, and the values that the subject takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldpiece.suite.spec import Depth, Spec
from goldpiece.suite.subject import Declaration, Fixed, Unsupported
from goldpiece.suite.values import Value


@dataclass(frozen=True)
class Scope:
    """The conditions under which strategies draw. They stay within it, so that no law is skipped half-way."""

    spec: Spec
    profile: str | None
    depth: Depth
    declaration: Declaration

    @property
    def surrogates(self) -> bool:
        """Whether text may hold lone surrogates."""
        return self.declaration.surrogates

    @property
    def fixed(self) -> bool:
        """Whether the subject is ready made: what the spec requires a law to choose is not to be chosen."""
        return bool(self.declaration.fixed(self.spec))

    def values(self, parameter: str, wanted: Sequence[Value]) -> list[Value]:
        """Those of the wanted values that the subject takes for a parameter; the default alone if it takes none."""
        offered = self.declaration.components[self.spec.name].parameters
        if parameter not in offered:
            return [self.spec.parameters[parameter].default]
        allowed = offered[parameter]
        values = [value for value in wanted if allowed is None or value in allowed]
        return values or list(allowed or ())

    def chosen(self) -> None:
        """For a law that chooses all that the spec requires: raises Unsupported where the subject is ready made."""
        for parameter in self.declaration.fixed(self.spec):
            raise Fixed(parameter)

    def required(self, parameter: str, wanted: Sequence[Value]) -> list[Value]:
        """The same for a law that means nothing unless one of the wanted values is taken."""
        values = [value for value in self.values(parameter, wanted) if value in wanted]
        if not values:
            raise Unsupported(f"the parameter {parameter}")
        return values
