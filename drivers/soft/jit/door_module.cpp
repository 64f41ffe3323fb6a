// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM lies in a library beside the one that this code is in.
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

#include "drivers/soft/jit/estimate.h"
#include "drivers/soft/jit/maker.h"

namespace terrazzo::soft::jit {

std::string llvm_file() {
    Dl_info here;
    void* map = nullptr;
    // The loader's own idea of the folder holds even if the process has changed its directory since.
    char folder[PATH_MAX] = "";
    if (!dladdr1(reinterpret_cast<void*>(&llvm_file), &here, &map, RTLD_DL_LINKMAP) || !map ||
        dlinfo(map, RTLD_DI_ORIGIN, folder) != 0 || folder[0] != '/')
        return {};
    return std::string(folder) + '/' + kLlvmLibrary;
}

namespace {

/// What LLVM's constructors, and the first look at the host, allocate: measured, twice over. They abort where
/// memory runs out.
constexpr size_t kConstructors_B = size_t(16) << 20;

/// The library in memory: its file, twice over, as relocations and zeroed data are not in it.
size_t room_for(const std::string& file) {
    struct stat s = {};
    return stat(file.c_str(), &s) == 0 ? 2 * size_t(s.st_size) : 0;
}

}  // namespace

const ObjectMaker* open_llvm(std::string* why) {
    const std::string file = llvm_file();
    // Never a name alone or a relative path: the search path or the current folder would choose the code.
    if (file.empty()) {
        *why = std::string("the loader does not say in which folder ") + kLlvmLibrary + " is";
        return nullptr;
    }
    if (!has_room(room_for(file) + kConstructors_B)) {
        *why = "no memory for LLVM";
        return nullptr;
    }
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char* const reason = dlerror();
        *why = reason ? reason : file + " cannot be loaded";
        return nullptr;
    }
    using Entry = decltype(&terrazzo_llvm_module);
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "terrazzo_llvm_module"));
    const LlvmModule* const module = entry ? entry() : nullptr;
    if (module && std::strcmp(module->stamp, kStamp) == 0) return module->maker;
    *why = module || !entry ? file + " belongs to another build" : "no memory for LLVM";
    return nullptr;
}

}  // namespace terrazzo::soft::jit
