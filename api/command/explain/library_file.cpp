// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: dlinfo(3), elf(5). The dependencies of a library show its maker: Terrazzo's front ends need
// libterrazzo, libglvnd's need libGLdispatch.
#include "api/command/explain/library_file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace terrazzo::command {
namespace {

constexpr std::string_view kTerrazzo = "libterrazzo.so.0", kDispatch = "libGLdispatch.so.0";

/// The names of the libraries that it was linked with.
std::vector<std::string> needed_by(const link_map& map) {
    uintptr_t texts = 0;
    for (const ElfW(Dyn)* d = map.l_ld; d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_STRTAB) texts = uintptr_t(d->d_un.d_ptr);
    if (texts < map.l_addr) texts += map.l_addr;  // some loaders do not relocate it
    std::vector<std::string> names;
    for (const ElfW(Dyn)* d = map.l_ld; texts && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_NEEDED) names.emplace_back(reinterpret_cast<const char*>(texts + d->d_un.d_val));
    return names;
}

/// `name`: as passed to the loader.
bool is_own(const std::string& name, const std::string& file, const Places& own) {
    const std::string last = name.substr(name.rfind('/') + 1);
    for (const std::string* folder : {&own.drop_in, &own.libraries, &own.modules, &own.gbm})
        if (!folder->empty() && same_file(*folder + "/" + last, file)) return true;
    return false;
}

Maker maker_of(const std::string& name, const LibraryFile& l, const link_map& map, const Places& own) {
    const std::vector<std::string> needed = needed_by(map);
    const auto needs = [&](std::string_view n) { return std::ranges::find(needed, n) != needed.end(); };
    if (l.file.substr(l.file.rfind('/') + 1).starts_with("libterrazzo") || needs(kTerrazzo))
        return is_own(name, l.file, own) ? Maker::ThisBuild : Maker::OtherTerrazzo;
    return needs(kDispatch) ? Maker::Glvnd : Maker::Other;
}

}  // namespace

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == path.npos ? "" : path.substr(0, slash);
}

std::string real_path(const std::string& path) {
    char* const real = realpath(path.c_str(), nullptr);
    std::string out = real ? real : path;
    std::free(real);
    return out;
}

bool same_file(const std::string& a, const std::string& b) {
    struct stat x, y;
    return stat(a.c_str(), &x) == 0 && stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool file_contains(const std::string& file, std::string_view bytes) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat st {};
    const size_t size_B = fd >= 0 && fstat(fd, &st) == 0 ? size_t(st.st_size) : 0;
    void* const map = size_B ? mmap(nullptr, size_B, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0) close(fd);
    if (map == MAP_FAILED) return false;
    const bool has = memmem(map, size_B, bytes.data(), bytes.size());
    munmap(map, size_B);
    return has;
}

bool is_terrazzo(const LibraryFile& l) {
    return l.handle && (l.maker == Maker::ThisBuild || l.maker == Maker::OtherTerrazzo);
}

Places own_places() {
    Places p;
    std::string why;
    return find_places(&p, &why) ? p : Places{};
}

LibraryFile open_library_file(const std::string& name, const Places& own) {
    LibraryFile l;
    l.handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!l.handle) {
        const char* const reason = dlerror();
        l.why = reason ? reason : name + " cannot be loaded";
        l.absent = l.why.starts_with(name + ": cannot open shared object file: No such file");
        return l;
    }
    link_map* map = nullptr;
    if (dlinfo(l.handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return l;
    l.file = real_path(map->l_name);
    l.maker = maker_of(name, l, *map, own);
    return l;
}

}  // namespace terrazzo::command
