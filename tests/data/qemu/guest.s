# SPDX-License-Identifier: GPL-2.0-or-later
#
# A boot sector that executes known numbers of instructions where the counter tells parts apart, and then switches the machine off:
#
#   at 0x7c00         real and protected mode, below 1 MiB: firmware, together with the BIOS; writes one letter to the first serial port
#   at 2 MiB          one loop: 2 * LOW_LOOPS + 2 instructions
#   at -2 GiB         long mode, as a kernel: two lines on the serial port with a loop of 2 * HIGH_LOOPS instructions between them (3 * with
#                     CHATTY, each round writing an x), and a dot that no line end follows
#
# as --32 --defsym LOW_LOOPS=N --defsym HIGH_LOOPS=N [--defsym CHATTY=1]; ld -m elf_i386 -Ttext 0x7c00 --oformat binary

        .set    TABLES, 0x10000
        .set    LOW, 0x200000

        .code16
start:  cli
        xorw    %ax, %ax
        movw    %ax, %ds
        lgdtl   gdt_register
        movl    %cr0, %eax
        orb     $1, %al
        movl    %eax, %cr0
        ljmpl   $8, $protected

        .code32
protected:
        movw    $16, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movl    $0x9000, %esp
        cld

        movw    $0x3f8, %dx
        movb    $'B', %al
        outb    %al, %dx

        movl    $low_code, %esi
        movl    $LOW, %edi
        movl    $low_code_end - low_code, %ecx
        rep movsb
        movl    $LOW, %eax
        call    *%eax

        # The first 2 MiB at 0 and at -2 GiB.
        movl    $TABLES, %edi
        xorl    %eax, %eax
        movl    $0x3000 / 4, %ecx
        rep stosl
        movl    $TABLES + 0x1003, TABLES
        movl    $TABLES + 0x1003, TABLES + 511 * 8
        movl    $TABLES + 0x2003, TABLES + 0x1000
        movl    $TABLES + 0x2003, TABLES + 0x1000 + 510 * 8
        movl    $0x83, TABLES + 0x2000
        movl    $TABLES, %eax
        movl    %eax, %cr3
        movl    %cr4, %eax
        orb     $0x20, %al              # PAE
        movl    %eax, %cr4
        movl    $0xC0000080, %ecx       # EFER
        rdmsr
        orw     $0x100, %ax             # LME
        wrmsr
        movl    %cr0, %eax
        orl     $0x80000000, %eax       # PG
        movl    %eax, %cr0
        ljmp    $24, $long_mode

low_code:
        movl    $LOW_LOOPS, %ecx
1:      decl    %ecx
        jnz     1b
        ret
low_code_end:

# 64-bit code by its bytes where the 32-bit assembler has no word for it; what both modes encode alike is written out.
long_mode:
        .byte   0x48, 0xc7, 0xc0        # movq $high - 2 GiB, %rax (sign-extended)
        .long   high + 0x80000000
        jmp     *%eax                   # jmp *%rax

high:   movl    $first, %esi
        call    print
        movl    $HIGH_LOOPS, %ecx
        movb    $'x', %al
1:      subl    $1, %ecx
        .ifdef  CHATTY
        outb    %al, %dx
        .endif
        jnz     1b
        movl    $second, %esi
        call    print
        movb    $'.', %al
        outb    %al, %dx
        movw    $0x604, %dx             # the ACPI power control of QEMU's PCs: sleep state 5
        movw    $0x2000, %ax
        outw    %ax, %dx
2:      hlt
        jmp     2b

# Divisor first, as a real driver sets it: what is written then is no text.
print:  movw    $0x3fb, %dx
        movb    $0x83, %al
        outb    %al, %dx
        movw    $0x3f8, %dx
        movb    $'!', %al
        outb    %al, %dx
        movw    $0x3fb, %dx
        movb    $0x03, %al
        outb    %al, %dx
        movw    $0x3f8, %dx
3:      movb    (%esi), %al
        addl    $1, %esi
        testb   %al, %al
        jz      4f
        outb    %al, %dx
        jmp     3b
4:      ret

first:  .asciz  "the first line\r\n"
second: .asciz  "the second line\r\n"

        .balign 8
gdt:    .quad   0
        .quad   0x00cf9a000000ffff      # 8: 32-bit code
        .quad   0x00cf92000000ffff      # 16: data
        .quad   0x00af9a000000ffff      # 24: 64-bit code
gdt_register:
        .word   gdt_register - gdt - 1
        .long   gdt

        .org    510
        .word   0xaa55
