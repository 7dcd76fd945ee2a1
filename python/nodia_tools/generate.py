"""The process that `nodia generate` starts to run a policy that is a Python class.

The two processes exchange JSON objects, one per line, over standard input and output. The command first sends `scenario`,
`policy` and `build`, and this process replies `ready`. The command then sends `folder`, `asset`, `threads`, `shard`, `batch` and
`backend`. This process reports the number of finished `episodes` repeatedly, and finally sends the result of generate() of
nodia.generation. Any reply can be `error` instead. The end of standard input stops the process. Output of the class goes to
standard error.
"""

import json
import os
import sys
import threading


def main():
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(**message):
        print(json.dumps(message), file=channel, flush=True)

    try:
        import nodia
        from nodia import generation
    except ImportError as error:
        tell(error=f"task.policy: Python {sys.executable} cannot load nodia ({_line(error)})")
        return 1
    listeners = []
    try:
        _work(generation, tell, listeners)
        return 0
    except nodia.InputError as error:
        tell(error=_line(error), bad_input=not isinstance(error.__cause__, MemoryError))
    except MemoryError:
        tell(error="out of memory")
    except SystemExit:
        raise
    except BaseException as error:  # the command waits for a reply
        known = isinstance(error, nodia.RuntimeError)
        tell(error=_line(error) if known else f"{type(error).__name__}: {_line(error)}")
    finally:
        for listener in listeners:  # waits until the command has closed standard input
            listener.join()
    return 1


def _work(generation, tell, listeners):
    actors = generation.ClassActors(**_told())
    tell(ready=True)
    request = _told()
    stop = generation.Stop()
    listeners.append(threading.Thread(target=_wait_for_end, args=(stop,), daemon=True))
    listeners[0].start()
    made = actors.generate(progress=lambda n: tell(episodes=n), stop=stop, **request)
    sys.stdout.flush()
    tell(**made)


def _told():
    line = sys.stdin.readline()
    if not line:  # the command has ended
        sys.exit(1)
    return json.loads(line)


def _wait_for_end(stop):
    sys.stdin.read()
    stop.set()


def _line(error):
    return " ".join(str(error).split())
