// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>

#include "shaders/cache/entry.h"
#include "shaders/cache/folder.h"
#include "winsys/environment/environment.h"

namespace terrazzo::shaders {

namespace {

std::string subfolder_of(const std::string& hex) {
    return hex.substr(0, 2);
}

std::string name_of(const std::string& hex) {
    return subfolder_of(hex) + '/' + hex.substr(2);
}

constexpr std::string_view kTemporary = ".tmp-";
constexpr time_t kStale_s = 3600;  // temporary files this old are abandoned

struct CloseFolder {
    void operator()(DIR* d) const { closedir(d); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

/// Null: it cannot be read.
OpenFolder open_entries(const Folder& folder, const std::string& subfolder) {
    Descriptor fd = folder.open_subfolder(subfolder);
    DIR* const dir = fd.ok() ? fdopendir(fd.fd()) : nullptr;
    if (dir) (void)fd.release();
    return OpenFolder(dir);
}

/// The entries of some subfolders.
struct Entries {
    explicit Entries(const Folder& f) : folder(f) {}
    struct Entry {
        timespec time;
        uint64_t size_B;  // its size on the disk
        std::string name;
    };
    const Folder& folder;
    std::vector<Entry> files;
    uint64_t total_B = 0;

    /// Adds the entries of a subfolder and deletes abandoned temporary files.
    void look_through(const std::string& subfolder) {
        const OpenFolder dir = open_entries(folder, subfolder);
        if (!dir) return;
        const time_t now = time(nullptr);
        while (const dirent* e = readdir(dir.get())) {
            struct stat st;
            if (fstatat(dirfd(dir.get()), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
                continue;
            const std::string name = subfolder + '/' + e->d_name;
            if (std::string_view(e->d_name).starts_with(kTemporary)) {
                if (now - st.st_mtim.tv_sec > kStale_s) (void)folder.remove(name);
                continue;
            }
            const uint64_t size_B = on_disk_B(st);
            files.push_back({st.st_mtim, size_B, name});
            total_B += size_B;
        }
    }
    /// If the entries exceed `limit_B`, deletes the longest unused ones, at most `most`, until 7/8 of the
    /// limit are left, so that the next clean-up is not soon.
    void limit(uint64_t limit_B, size_t most) {
        if (total_B <= limit_B) return;
        std::sort(files.begin(), files.end(), [](const Entry& a, const Entry& b) {
            return a.time.tv_sec != b.time.tv_sec ? a.time.tv_sec < b.time.tv_sec
                                                  : a.time.tv_nsec < b.time.tv_nsec;
        });
        for (const Entry& f : files) {
            if (total_B <= limit_B - limit_B / 8 || most-- == 0) break;
            if (folder.remove(f.name)) total_B -= f.size_B;
        }
    }
    static uint64_t on_disk_B(const struct stat& st) {
        return std::max(uint64_t(st.st_size), uint64_t(st.st_blocks) * 512);
    }
};
/// The first byte of a key is its subfolder. Keys are hashes, so all subfolders have about the same size.
constexpr unsigned kSubfolders = 256;
/// If a subfolder has more entries, its size is extrapolated to all subfolders.
constexpr size_t kMany = 64;
/// In a large folder, one in this many writes cleans up its subfolder.
constexpr uint32_t kWritesPerLook = 16;
/// More than are written between two clean-ups, but few enough for the program that waits for it.
constexpr size_t kDeletesPerLook = 64;

/// Counts names only: reading times and sizes would access the disk for each file.
bool has_many(const Folder& folder, const std::string& subfolder) {
    const OpenFolder dir = open_entries(folder, subfolder);
    size_t count = 0;
    while (dir && count <= kMany && readdir(dir.get()))
        ++count;
    return count > kMany;
}

/// Cleans up the whole folder. Returns the remaining size.
uint64_t hold_to_limit(const Folder& folder, uint64_t limit_B) {
    Entries found(folder);
    for (unsigned n = 0; n < kSubfolders; n++) {
        char name[4];
        std::snprintf(name, sizeof name, "%02x", n);
        found.look_through(name);
    }
    found.limit(limit_B, SIZE_MAX);
    return found.total_B;
}

std::optional<std::vector<uint8_t>> read_entry(const Descriptor& file, uint64_t size, const CacheKey& key) {
    if (size > kMaxEntry_B) return std::nullopt;
    std::vector<uint8_t> bytes(size);
    if (!file.read_all(bytes.data(), bytes.size())) return std::nullopt;
    return unpack_entry(key, std::move(bytes));
}

Descriptor create_file(const Folder& folder, const std::string& subfolder, std::string* name) {
    Descriptor file = folder.create_file(name);
    if (file.ok() || errno != ENOENT || !folder.make_subfolder(subfolder)) return file;
    return folder.create_file(name);
}

bool write_entry(const Descriptor& file, std::span<const uint8_t> entry, struct stat* st) {
    return file.ok() && file.write_all(entry.data(), entry.size()) && fstat(file.fd(), st) == 0;
}

const char* why_unusable(int error) {
    return error == EPERM ? "the folder belongs to another user, or others may write to it"
                          : std::strerror(error);
}

/// The time of a use is updated at most this often: the order of entries need not be more exact.
constexpr time_t kUse_s = 600;

}  // namespace

std::shared_ptr<const Folder> DiskCache::folder(bool make) {
    const std::lock_guard lock(open_);
    if (opened_ && opened_->still_ours()) return opened_;
    opened_.reset();
    Folder found = make ? Folder::open_or_make(folder_) : Folder::open(folder_);
    if (found.ok())
        opened_ = std::make_shared<const Folder>(std::move(found));
    else if (make && variable_)
        winsys::report_value(*variable_,
                             "shaders are compiled again by each process, since the shader cache is unusable",
                             why_unusable(errno));
    return opened_;
}

std::optional<std::vector<uint8_t>> DiskCache::get(const CacheKey& key) {
    const std::shared_ptr<const Folder> opened = folder(false);
    if (!opened) return std::nullopt;
    const Folder& folder = *opened;
    const std::string name = name_of(key.hex());
    struct stat st;
    const Descriptor file = folder.open_file(name, &st);
    if (!file.ok()) return std::nullopt;
    auto value = read_entry(file, uint64_t(st.st_size), key);
    if (!value)
        folder.remove(name);
    else if (const time_t age_s = time(nullptr) - st.st_mtim.tv_sec; age_s < 0 || age_s > kUse_s)
        (void)futimens(file.fd(), nullptr);  // sets the time of the last use; fails in a read-only folder
    return value;
}

void DiskCache::put(const CacheKey& key, std::span<const uint8_t> value) {
    const std::vector<uint8_t> entry = pack_entry(key, value);
    if (entry.empty() || entry.size() > limit_B_) return;
    const std::string hex = key.hex();
    const std::shared_ptr<const Folder> opened = folder(true);
    if (!opened) return;
    const Folder& folder = *opened;
    std::string temporary = subfolder_of(hex) + '/' + std::string(kTemporary) + hex.substr(24, 8);
    struct stat st;
    if (!write_entry(create_file(folder, subfolder_of(hex), &temporary), entry, &st) ||
        !folder.rename(temporary, name_of(hex))) {
        folder.remove(temporary);
        return;
    }
    account(folder, key, Entries::on_disk_B(st));
}

/// A process scans the folder at its first write, and again when the limit seems reached, because other
/// processes write, too. Scanning a large folder takes seconds. Instead, one in kWritesPerLook writes of any
/// process limits the subfolder that it writes to.
void DiskCache::account(const Folder& folder, const CacheKey& key, uint64_t written_B) {
    const std::string subfolder = subfolder_of(key.hex());
    const std::lock_guard lock(scan_);
    size_B_ += written_B;
    if (!scanned_ || (!large_ && size_B_ > limit_B_)) {
        scanned_ = true;
        large_ = has_many(folder, subfolder);
        if (!large_) size_B_ = hold_to_limit(folder, limit_B_);
    }
    if (!large_ || key.bytes[1] % kWritesPerLook != 0) return;
    Entries found(folder);
    found.look_through(subfolder);
    found.limit(limit_B_ / kSubfolders, kDeletesPerLook);
}

}  // namespace terrazzo::shaders
