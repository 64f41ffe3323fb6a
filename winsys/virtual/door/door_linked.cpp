// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door of programs that link the virtual GPUs statically.
#include "winsys/virtual/door/module.h"

namespace terrazzo::winsys::virt {

std::string module_file() {
    return {};
}

const Module* open_module(std::string*) {
    return terrazzo_virtual_module();
}

}  // namespace terrazzo::winsys::virt
