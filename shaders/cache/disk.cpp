// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

namespace terrazzo::shaders {

namespace {

struct Header {
    char magic[8] = {'T', 'Z', 'C', 'A', 'C', 'H', 'E', '2'};
    uint8_t key[16] = {};
    uint64_t value_B = 0;
    uint64_t frame_B = 0;   // of what follows
    uint64_t is_zstd = 0;   // 0: it is the value, 1: a zstd frame
    uint64_t checksum = 0;  // XXH3-64 of this header with checksum 0, then of what follows
};
static_assert(sizeof(Header) == 56, "the file's first bytes have no holes");

uint64_t checksum_of(Header h, std::span<const uint8_t> frame) {
    h.checksum = 0;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &h, sizeof h);
    if (!frame.empty()) XXH3_64bits_update(&state, frame.data(), frame.size());
    return XXH3_64bits_digest(&state);
}

class File {
  public:
    explicit File(int fd) : fd_(fd) {}
    ~File() {
        if (fd_ >= 0) close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] bool ok() const { return fd_ >= 0; }
    [[nodiscard]] int fd() const { return fd_; }
    [[nodiscard]] bool write_all(const void* data, size_t size) const {
        auto p = static_cast<const char*>(data);
        while (size) {
            const ssize_t n = write(fd_, p, size);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            p += n;
            size -= size_t(n);
        }
        return true;
    }
    [[nodiscard]] bool read_all(void* data, size_t size) const {
        auto p = static_cast<char*>(data);
        while (size) {
            const ssize_t n = read(fd_, p, size);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            p += n;
            size -= size_t(n);
        }
        return true;
    }

  private:
    int fd_;
};

bool make_folders(const std::string& path) {
    for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return false;
        if (at == path.npos) return true;
    }
}

std::string subfolder_of(const std::string& folder, const std::string& hex) {
    return folder + '/' + hex.substr(0, 2);
}

constexpr std::string_view kTemporary = ".tmp-";
constexpr time_t kStale_s = 3600;  // a temporary file this old belongs to nobody

/// Entries of some subfolders.
struct Entries {
    struct Entry {
        timespec time;
        uint64_t size_B;  // on the disk
        std::string path;
    };
    std::vector<Entry> files;
    uint64_t total_B = 0;

    /// Adds those of one subfolder, and deletes temporary files that nobody has.
    void look_through(const std::string& subfolder) {
        DIR* const dir = opendir(subfolder.c_str());
        if (!dir) return;
        const time_t now = time(nullptr);
        while (const dirent* e = readdir(dir)) {
            struct stat st;
            if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
                continue;
            const std::string path = subfolder + '/' + e->d_name;
            if (std::string_view(e->d_name).starts_with(kTemporary)) {
                if (now - st.st_mtim.tv_sec > kStale_s) (void)unlink(path.c_str());
                continue;
            }
            const uint64_t size_B = on_disk_B(st);
            files.push_back({st.st_mtim, size_B, path});
            total_B += size_B;
        }
        closedir(dir);
    }
    /// Deletes the longest unused ones, at most so many, if there are more than `limit_B`; then to 7/8 of it,
    /// so that it is not soon needed again.
    void limit(uint64_t limit_B, size_t most) {
        if (total_B <= limit_B) return;
        std::sort(files.begin(), files.end(), [](const Entry& a, const Entry& b) {
            return a.time.tv_sec != b.time.tv_sec ? a.time.tv_sec < b.time.tv_sec
                                                  : a.time.tv_nsec < b.time.tv_nsec;
        });
        for (const Entry& f : files) {
            if (total_B <= limit_B - limit_B / 8 || most-- == 0) break;
            if (unlink(f.path.c_str()) == 0 || errno == ENOENT) total_B -= f.size_B;
        }
    }
    static uint64_t on_disk_B(const struct stat& st) {
        return std::max(uint64_t(st.st_size), uint64_t(st.st_blocks) * 512);
    }
};
/// The first byte of a key names its subfolder. Keys are hashes: each has about as much as any other.
constexpr unsigned kSubfolders = 256;
/// Of one subfolder: with more, it stands for all of them.
constexpr size_t kMany = 64;
/// One in so many writes looks through its subfolder of a large folder.
constexpr uint32_t kWritesPerLook = 16;
/// More than are written meanwhile, few enough for a program that waits for it.
constexpr size_t kDeletesPerLook = 64;

/// By names alone: the times and sizes of files that nobody used lately come from the disk, one by one.
bool has_many(const std::string& subfolder) {
    DIR* const dir = opendir(subfolder.c_str());
    if (!dir) return false;
    size_t count = 0;
    while (count <= kMany && readdir(dir))
        ++count;
    closedir(dir);
    return count > kMany;
}

/// Looks through all of a folder. Gives the size left.
uint64_t hold_to_limit(const std::string& folder, uint64_t limit_B) {
    Entries found;
    for (unsigned n = 0; n < kSubfolders; n++) {
        char name[4];
        std::snprintf(name, sizeof name, "/%02x", n);
        found.look_through(folder + name);
    }
    found.limit(limit_B, SIZE_MAX);
    return found.total_B;
}

/// The value, or nothing for any file that is not to the last byte what put() writes.
std::optional<std::vector<uint8_t>> read_entry(const File& file, uint64_t size, const CacheKey& key) {
    Header h;
    if (size < sizeof h || size > sizeof h + ZSTD_compressBound(DiskCache::kMaxValue_B)) return std::nullopt;
    std::vector<uint8_t> bytes(size);
    if (!file.read_all(bytes.data(), bytes.size())) return std::nullopt;
    std::memcpy(&h, bytes.data(), sizeof h);
    const std::span<const uint8_t> frame = std::span(bytes).subspan(sizeof h);
    if (std::memcmp(h.magic, Header{}.magic, sizeof h.magic) != 0) return std::nullopt;
    if (std::memcmp(h.key, key.bytes.data(), sizeof h.key) != 0) return std::nullopt;
    if (h.value_B > DiskCache::kMaxValue_B || h.frame_B != frame.size()) return std::nullopt;
    if (checksum_of(h, frame) != h.checksum) return std::nullopt;
    if (!h.is_zstd) {
        if (h.value_B != h.frame_B) return std::nullopt;
        bytes.erase(bytes.begin(), bytes.begin() + sizeof h);
        return bytes;
    }
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != h.value_B) return std::nullopt;
    std::vector<uint8_t> value(h.value_B);
    const size_t n = ZSTD_decompress(value.data(), value.size(), frame.data(), frame.size());
    if (ZSTD_isError(n) || n != value.size()) return std::nullopt;
    return value;
}

/// Told of a use at most so often: the order of entries need not be finer.
constexpr time_t kUse_s = 600;

}  // namespace

/// Machine code from files that someone else can write would be that someone's code in this process.
bool DiskCache::trusted() const {
    struct stat st;
    if (stat(folder_.c_str(), &st) != 0) return false;
    return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

int DiskCache::create(const std::string& subfolder, std::string* name) const {
    if (!trusted() && (!make_folders(folder_) || !trusted())) return -1;
    const std::string pattern = *name;
    const int fd = mkostemp(name->data(), O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT || !make_folders(subfolder)) return fd;
    *name = pattern;
    return mkostemp(name->data(), O_CLOEXEC);
}

std::optional<std::vector<uint8_t>> DiskCache::get(const CacheKey& key) {
    const std::string hex = key.hex();
    const std::string path = subfolder_of(folder_, hex) + '/' + hex.substr(2);
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat st;
    if (!file.ok() || fstat(file.fd(), &st) != 0 || !S_ISREG(st.st_mode) || !trusted()) return std::nullopt;
    auto value = read_entry(file, uint64_t(st.st_size), key);
    if (!value)
        (void)unlink(path.c_str());
    else if (const time_t age_s = time(nullptr) - st.st_mtim.tv_sec; age_s < 0 || age_s > kUse_s)
        (void)futimens(file.fd(), nullptr);  // used now; a read-only folder keeps its times
    return value;
}

void DiskCache::put(const CacheKey& key, std::span<const uint8_t> value) {
    if (value.size() > kMaxValue_B) return;
    const std::string hex = key.hex();
    const std::string sub = subfolder_of(folder_, hex);
    Header h;
    std::vector<uint8_t> packed;
    std::span<const uint8_t> frame = value;
    if (value.size() > kMaxPlain_B) {
        packed.resize(ZSTD_compressBound(value.size()));
        const size_t n = ZSTD_compress(packed.data(), packed.size(), value.data(), value.size(), 3);
        if (ZSTD_isError(n)) return;
        frame = std::span(packed).first(n);
        h.is_zstd = 1;
    }
    std::memcpy(h.key, key.bytes.data(), sizeof h.key);
    h.value_B = value.size();
    h.frame_B = frame.size();
    h.checksum = checksum_of(h, frame);
    if (sizeof h + frame.size() > limit_B_) return;

    std::string temporary = sub + '/' + std::string(kTemporary) + hex.substr(24) + "-XXXXXX";
    bool written = false;
    struct stat st;
    {
        const File file(create(sub, &temporary));
        if (!file.ok()) return;
        written = file.write_all(&h, sizeof h) && file.write_all(frame.data(), frame.size()) &&
                  fstat(file.fd(), &st) == 0;
    }
    if (!written || rename(temporary.c_str(), (sub + '/' + hex.substr(2)).c_str()) != 0) {
        (void)unlink(temporary.c_str());
        return;
    }
    account(key, sub, Entries::on_disk_B(st));
}

/// A process looks through the folder when it first writes, and again whenever the limit seems reached: other
/// processes' writes are seen then. To look at all files of a large folder would take seconds: with one in
/// kWritesPerLook writes, whichever process makes it, the subfolder written to is held to its share.
void DiskCache::account(const CacheKey& key, const std::string& subfolder, uint64_t written_B) {
    const std::lock_guard lock(scan_);
    size_B_ += written_B;
    if (!scanned_ || (!large_ && size_B_ > limit_B_)) {
        scanned_ = true;
        large_ = has_many(subfolder);
        if (!large_) size_B_ = hold_to_limit(folder_, limit_B_);
    }
    if (!large_ || key.bytes[1] % kWritesPerLook != 0) return;
    Entries found;
    found.look_through(subfolder);
    found.limit(limit_B_ / kSubfolders, kDeletesPerLook);
}

}  // namespace terrazzo::shaders
