"""spec/PROTOCOL.md: how a program in any language is a subject, made from the specs by `goldpiece spec protocol`."""

from collections.abc import Iterator
from pathlib import Path
from string import Template

from goldpiece.suite.spec import Parameter, Spec, Specs
from goldpiece.suite.subjects.child import PROTOCOL
from goldpiece.suite.values import show

HEAD = Path(__file__).with_suffix(".md")


def protocol(specs: Specs) -> str:
    """The page."""
    head = Template(HEAD.read_text(encoding="utf-8")).substitute(protocol=PROTOCOL)
    return head + "".join(line for spec in specs for line in _component(spec))


def _component(spec: Spec) -> Iterator[str]:
    yield f"\n## {spec.name}\n\n{spec.summary}\n\n"
    if spec.profiles:
        names = ", ".join(spec.profiles)
        yield f"Profiles: {names}; `new` names one as the parameter `profile`, where it is taken.\n\n"
    yield "| parameter | type | |\n| --- | --- | --- |\n"
    yield from (f"| `{each.name}` | {each.type.written} | {_says(each)} |\n" for each in spec.parameters.values())
    yield "\n| operation | inputs, in order | outputs | errors |\n| --- | --- | --- | --- |\n"
    for each in spec.operations.values():
        inputs = ", ".join(f"`{name}`: {kind.written}" for name, kind in each.input.items())
        told = {name: f"`{name}`: {kind.written}" for name, kind in each.output.items()}
        outputs = ", ".join(f"[{of}]" if name in each.may_lack else of for name, of in told.items())
        errors = ", ".join(f"`{name}`" for name in each.errors)
        yield f"| `{each.name}` | {inputs} | {outputs} | {errors} |\n"


def _says(parameter: Parameter) -> str:
    default = "required" if parameter.required else f"default `{show(parameter.default)}`"
    return f"{parameter.says.replace('|', chr(92) + '|')}; {default}"
