// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/process/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

namespace terrazzo::winsys {

std::string file_beside(const void* code, const char* file) {
    Dl_info here;
    void* map = nullptr;
    // The loader's own idea of the folder holds even if the process has changed its directory since.
    char folder[PATH_MAX] = "";
    if (!dladdr1(const_cast<void*>(code), &here, &map, RTLD_DL_LINKMAP) || !map ||
        dlinfo(map, RTLD_DI_ORIGIN, folder) != 0 || folder[0] != '/')
        return {};
    const std::string beside = std::string(folder) + '/', own = beside + "terrazzo/" + file;
    return access(own.c_str(), F_OK) == 0 ? own : beside + file;
}

void* open_library(const std::string& path, const char* function, std::string* why) {
    if (path.empty()) {
        *why = "the loader does not say in which folder this library is";
        return nullptr;
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char* const reason = dlerror();
        *why = reason ? reason : path + " cannot be loaded";
        return nullptr;
    }
    void* const found = dlsym(library, function);
    if (!found) *why = path + " belongs to another build";
    return found;
}

}  // namespace terrazzo::winsys
