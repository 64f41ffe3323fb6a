// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of notes: System V ABI, "Note Section"; NT_GNU_BUILD_ID is type 3 of owner "GNU".
#include "shaders/cache/build_id.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "winsys/clock.h"

namespace terrazzo::shaders {

namespace {

struct Search {
    uintptr_t address;
    std::string id;
};

/// A note's header is followed by the owner's name and the description, each padded to four bytes.
std::string note_of(const char* p, size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) n;
        std::memcpy(&n, p, sizeof n);
        const size_t name = (size_t(n.n_namesz) + 3) & ~size_t(3);
        const size_t description = (size_t(n.n_descsz) + 3) & ~size_t(3);
        if (name + description > size - sizeof n) break;
        const char* owner = p + sizeof n;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && std::memcmp(owner, "GNU", 4) == 0)
            return {owner + name, n.n_descsz};
        p += sizeof n + name + description;
        size -= sizeof n + name + description;
    }
    return {};
}

int visit(dl_phdr_info* info, size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    bool here = false;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)& h = info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + h.p_vaddr;
        here |= h.p_type == PT_LOAD && search.address >= begin && search.address < begin + h.p_memsz;
    }
    if (!here) return 0;
    for (unsigned i = 0; i < info->dlpi_phnum && search.id.empty(); i++) {
        const ElfW(Phdr)& h = info->dlpi_phdr[i];
        if (h.p_type == PT_NOTE)
            search.id = note_of(reinterpret_cast<const char*>(info->dlpi_addr + h.p_vaddr), h.p_memsz);
    }
    return 1;
}

std::string find() {
    Search search{reinterpret_cast<uintptr_t>(&find), {}};
    dl_iterate_phdr(visit, &search);
    if (!search.id.empty()) return search.id;
    Dl_info file;
    struct stat st;
    if (dladdr(reinterpret_cast<void*>(search.address), &file) && file.dli_fname &&
        stat(file.dli_fname, &st) == 0)
        return std::string(file.dli_fname) + ' ' + std::to_string(st.st_size) + ' ' +
               std::to_string(st.st_mtim.tv_sec) + '.' + std::to_string(st.st_mtim.tv_nsec);
    // Not __DATE__: all builds of a package have the same one (SOURCE_DATE_EPOCH).
    return "process " + std::to_string(getpid()) + ' ' + std::to_string(winsys::clock_ns(CLOCK_REALTIME));
}

}  // namespace

const std::string& compiler_build_id() {
    // Never destroyed: threads may outlive main().
    static const std::string* const kId = new std::string(find());
    return *kId;
}

}  // namespace terrazzo::shaders
