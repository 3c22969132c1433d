"""A terminal for one program. Arguments: rows, columns, and the command.

On standard input a line is what is done to it: `key TEXT`, `size ROWS COLUMNS`, `signal NUMBER`. What the program shows comes out of standard output as
it is. At the end a line of JSON on standard error tells the exit code, and whether the terminal's modes are what they were before.
"""
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios

rows, columns, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
master, slave = pty.openpty()


def resize(rows, columns):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def take():
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


resize(rows, columns)
before = termios.tcgetattr(slave)
child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, preexec_fn=take)
orders = b""
sources = [master, 0]
while True:
    ready, _, _ = select.select(sources, [], [], 0.05)
    if master in ready:
        os.write(1, os.read(master, 65536))
    elif child.poll() is not None:
        break
    if 0 in ready:
        data = os.read(0, 65536)
        if data == b"":
            sources.remove(0)
        orders += data
        *lines, orders = orders.split(b"\n")
        for line in lines:
            what, _, rest = line.decode().partition(" ")
            if what == "key":
                os.write(master, rest.encode())
            elif what == "size":
                resize(*map(int, rest.split()))
            elif what == "signal":
                child.send_signal(int(rest))
print(json.dumps({"code": child.returncode, "restored": termios.tcgetattr(slave) == before}), file=sys.stderr)
