// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door of libraries that load libterrazzo-llvm.so from their own folder.
#include <sys/stat.h>

#include <cstring>

#include "drivers/soft/jit/estimate.h"
#include "drivers/soft/jit/maker.h"
#include "winsys/process/library.h"

namespace terrazzo::soft::jit {

std::string llvm_file() {
    return winsys::file_beside(reinterpret_cast<const void*>(&llvm_file), kLlvmLibrary);
}

namespace {

/// The allocations of LLVM's constructors and of detecting the host: twice the measured size. They abort when
/// memory runs out.
constexpr size_t kConstructors_B = size_t(16) << 20;

/// The library in memory: twice the size of its file, which lacks relocations and zeroed data.
size_t room_for(const std::string& file) {
    struct stat s = {};
    return stat(file.c_str(), &s) == 0 ? 2 * size_t(s.st_size) : 0;
}

}  // namespace

const ObjectMaker* open_llvm(std::string* why) {
    const std::string file = llvm_file();
    if (!has_room(room_for(file) + kConstructors_B)) {
        *why = "no memory for LLVM";
        return nullptr;
    }
    using Entry = decltype(&terrazzo_llvm_module);
    const auto entry = reinterpret_cast<Entry>(winsys::open_library(file, "terrazzo_llvm_module", why));
    if (!entry) return nullptr;
    const LlvmModule* const module = entry();
    if (module && std::strcmp(module->stamp, kStamp) == 0) return module->maker;
    *why = module ? file + " belongs to another build" : "no memory for LLVM";
    return nullptr;
}

}  // namespace terrazzo::soft::jit
