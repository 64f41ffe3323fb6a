// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/host_code/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "winsys/environment/file_size.h"

namespace terrazzo::host_code {

namespace {

void* map(size_t size_B, int protection, int flags, int fd) {
    void* const p = mmap(nullptr, size_B, protection, flags, fd, 0);
    return p == MAP_FAILED ? nullptr : p;
}

void* load_private(const CodeMemory::Writer& write, size_t size_B) {
    void* const p = map(size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (!p) return nullptr;
    write(static_cast<uint8_t*>(p), static_cast<const uint8_t*>(p));
    if (mprotect(p, size_B, PROT_READ | PROT_EXEC) == 0) return p;
    munmap(p, size_B);
    return nullptr;
}

void* load_file(const CodeMemory::Writer& write, size_t size_B) {
    const int fd = memfd_create("terrazzo-shader", MFD_CLOEXEC);
    if (fd < 0) return nullptr;
    void* run = nullptr;
    const winsys::FileSizeSignalBlock no_signal;
    if (ftruncate(fd, off_t(size_B)) == 0) {
        void* const to = map(size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
        run = to ? map(size_B, PROT_READ | PROT_EXEC, MAP_SHARED, fd) : nullptr;
        if (run) write(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(run));
        if (to) munmap(to, size_B);
    }
    close(fd);
    return run;
}

}  // namespace

std::optional<CodeMemory> CodeMemory::load(size_t size_B, const Writer& write, CodeMapping how) {
    const size_t page_B = size_t(sysconf(_SC_PAGESIZE));
    const size_t pages_B = (size_B + page_B - 1) / page_B * page_B;
    void* p = nullptr;
    if (size_B && how != CodeMapping::File) p = load_private(write, pages_B);
    if (size_B && !p && how != CodeMapping::Private) p = load_file(write, pages_B);
    if (!p) return std::nullopt;
    auto* const begin = static_cast<char*>(p);
    __builtin___clear_cache(begin, begin + pages_B);
    return CodeMemory(p, pages_B);
}

CodeMemory::~CodeMemory() {
    if (base_) munmap(base_, size_B_);
}

}  // namespace terrazzo::host_code
