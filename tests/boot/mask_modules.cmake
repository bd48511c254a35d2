# SPDX-License-Identifier: GPL-2.0-or-later
# Keeps the unpacked QEMUs from the installed one's modules. libguestfs asks its QEMU for all devices, for which that loads every module it knows of; those
# that were not unpacked it would find in the system's directory, and it aborts on modules of another build. An empty file in its own directory, which comes
# first, is only a module that cannot be loaded. Called with -D QEMUS=DIR (the directory of the unpacked ones).
cmake_minimum_required(VERSION 3.25)

file(GLOB own_directories "${QEMUS}/*/root/usr/lib/*/qemu")
file(GLOB modules "/usr/lib/*/qemu/*.so" "/usr/lib/qemu/*.so" "/usr/lib64/qemu/*.so")
foreach(directory IN LISTS own_directories)
    foreach(module IN LISTS modules)
        cmake_path(GET module FILENAME name)
        if(NOT EXISTS "${directory}/${name}")
            file(TOUCH "${directory}/${name}")
            file(CHMOD "${directory}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
        endif()
    endforeach()
endforeach()
