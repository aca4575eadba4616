"""Work in a process of its own that is a copy of this one, so that nothing has to be imported again for it.

What the most memory of a process was can only be told of a process that did nothing else.
"""

import json
import os
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeAlias

Answer: TypeAlias = Mapping[str, Any]  # JSON

if hasattr(os, "fork"):

    def in_a_child(work: Callable[[], Answer]) -> Answer:
        """What the work finds out, or a `reason` where the process ends without an answer."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            _answer(writing, work)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as answer:
            written = answer.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found: Answer = json.loads(written) if written else {"reason": f"its process ended with {status}"}
        return found

    def _answer(writing: int, work: Callable[[], Answer]) -> NoReturn:
        """Ends the process itself: what the other had begun is not its to end."""
        status = 1
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as answer:
                answer.write(json.dumps(work()))
            status = 0
        except BaseException:
            traceback.print_exc()
        os._exit(status)

else:

    def in_a_child(work: Callable[[], Answer]) -> Answer:
        """The same in this process: Windows, which has no such copies, tells nothing of the memory of one either."""
        return work()
