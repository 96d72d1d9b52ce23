"""Runs a program in a pseudo-terminal of 100 columns: what the terminal gets goes to standard output, standard input is the keyboard."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
keyboard = [0]
while True:
    ready, _, _ = select.select([terminal, *keyboard], [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys:
            os.write(terminal, keys)
        else:
            keyboard = []
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        os.write(1, data)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
