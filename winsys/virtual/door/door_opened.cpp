// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door of libraries that load libterrazzo-virtual.so from their own folder.
#include <cstring>

#include "winsys/process/library.h"
#include "winsys/virtual/door/module.h"

namespace terrazzo::winsys::virt {

std::string module_file() {
    return file_beside(reinterpret_cast<const void*>(&module_file), kVirtualLibrary);
}

const Module* open_module(std::string* why) {
    const std::string file = module_file();
    using Entry = decltype(&terrazzo_virtual_module);
    const auto entry = reinterpret_cast<Entry>(open_library(file, "terrazzo_virtual_module", why));
    if (!entry) return nullptr;
    const Module* const module = entry();
    if (std::strcmp(module->stamp, kStamp) == 0) return module;
    *why = file + " belongs to another build";
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
