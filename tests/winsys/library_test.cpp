// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/process/library.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>

using namespace terrazzo;

namespace {

void of_the_program() {}

}  // namespace

TEST_CASE("library: files next to the program, and next to a library") {
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    CHECK(winsys::file_beside(reinterpret_cast<const void*>(&of_the_program), "x.so") ==
          (program.parent_path() / "x.so").string());
    const std::string of_libc = winsys::file_beside(reinterpret_cast<const void*>(&::getenv), "x.so");
    CHECK(of_libc.ends_with("/x.so"));
    CHECK(of_libc != (program.parent_path() / "x.so").string());
    int on_stack = 0;
    CHECK(winsys::file_beside(&on_stack, "x.so").empty());
}
