// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/code/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "winsys/environment/file_size.h"

namespace terrazzo::soft {

namespace {

/// Writes the image to `to`; it will run at `at`.
void write_image(const CodeImage& image, uint8_t* to, const uint8_t* at) {
    std::memcpy(to, image.bytes.data(), image.bytes.size());
    for (const CodeImage::Slot& s : image.slots) {
        const void* const target = s.symbol.empty() ? at : find_runtime_symbol(s.symbol);
        const uint64_t address = uint64_t(reinterpret_cast<uintptr_t>(target)) + uint64_t(s.addend);
        std::memcpy(to + s.offset_B, &address, sizeof address);
    }
}

void* map(size_t size_B, int protection, int flags, int fd) {
    void* const p = mmap(nullptr, size_B, protection, flags, fd, 0);
    return p == MAP_FAILED ? nullptr : p;
}

void* load_private(const CodeImage& image, size_t size_B) {
    void* const p = map(size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (!p) return nullptr;
    write_image(image, static_cast<uint8_t*>(p), static_cast<const uint8_t*>(p));
    if (mprotect(p, size_B, PROT_READ | PROT_EXEC) == 0) return p;
    munmap(p, size_B);
    return nullptr;
}

void* load_file(const CodeImage& image, size_t size_B) {
    const int fd = memfd_create("terrazzo-shader", MFD_CLOEXEC);
    if (fd < 0) return nullptr;
    void* run = nullptr;
    const winsys::FileSizeSignalBlock no_signal;
    if (ftruncate(fd, off_t(size_B)) == 0) {
        void* const write = map(size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
        run = write ? map(size_B, PROT_READ | PROT_EXEC, MAP_SHARED, fd) : nullptr;
        if (run) write_image(image, static_cast<uint8_t*>(write), static_cast<const uint8_t*>(run));
        if (write) munmap(write, size_B);
    }
    close(fd);
    return run;
}

}  // namespace

std::optional<CodeMemory> CodeMemory::load(const CodeImage& image, std::string* error, CodeMapping how) {
    for (const CodeImage::Slot& s : image.slots) {
        if (s.symbol.empty() || find_runtime_symbol(s.symbol)) continue;
        *error = "the code calls " + s.symbol + ", which is not known";
        return std::nullopt;
    }
    const size_t page_B = size_t(sysconf(_SC_PAGESIZE));
    const size_t size_B = (image.bytes.size() + page_B - 1) / page_B * page_B;
    void* p = nullptr;
    if (size_B && how != CodeMapping::File) p = load_private(image, size_B);
    if (size_B && !p && how != CodeMapping::Private) p = load_file(image, size_B);
    if (!p) {
        *error = "this host gives no executable memory";
        return std::nullopt;
    }
    auto* const begin = static_cast<char*>(p);
    __builtin___clear_cache(begin, begin + size_B);
    return CodeMemory(p, size_B, begin + image.entry_B);
}

CodeMemory::~CodeMemory() {
    if (base_) munmap(base_, size_B_);
}

}  // namespace terrazzo::soft
