"""Makes an input that fails smaller."""


def shrink(script, fails):
    """Leaves out parts, halves first, as long as the rest still fails."""
    size = len(script) // 2
    while size:
        at, before = 0, len(script)
        while at < len(script):
            rest = script[:at] + script[at + size :]
            if fails(rest):
                script = rest
            else:
                at += size
        if size == 1 and len(script) == before:
            break
        size = max(size // 2, 1)
    return script
