// SPDX-License-Identifier: GPL-2.0-or-later
int tiny(int value);

int tiny(int value) {
#ifdef DEBUG
    if (value < 0) {
        __builtin_trap();
    }
#endif
    return value + 1;
}
