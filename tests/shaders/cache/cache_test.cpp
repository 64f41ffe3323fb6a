// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/cache.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "shaders/cache/build_id.h"
#include "winsys/environment/file_size.h"

using namespace terrazzo::shaders;
namespace fs = std::filesystem;

namespace {

/// A folder that is removed with the test.
struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "terrazzo-cache-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        path = name;
    }
    ~Folder() {
        std::error_code e;
        fs::remove_all(path, e);
    }
    [[nodiscard]] std::vector<fs::path> files() const {
        std::vector<fs::path> r;
        for (const auto& e : fs::recursive_directory_iterator(path))
            if (e.is_regular_file()) r.push_back(e.path());
        return r;
    }
    /// Bytes on the disk.
    [[nodiscard]] uint64_t size_B() const {
        uint64_t n = 0;
        for (const auto& f : files()) {
            struct stat st = {};
            REQUIRE(stat(f.c_str(), &st) == 0);
            n += std::max(uint64_t(st.st_size), uint64_t(st.st_blocks) * 512);
        }
        return n;
    }
    fs::path path;
};

CacheOptions disk_only(const fs::path& folder, uint64_t limit_B = 1 << 20) {
    return {.memory_limit_B = 0, .disk_limit_B = limit_B, .folder = folder.string()};
}

CacheKey key(int n) {
    return CacheKey::of({"test", std::to_string(n)});
}

/// Incompressible bytes, different for each n.
std::vector<uint8_t> value(int n, size_t size = 1000) {
    std::vector<uint8_t> v(size);
    uint32_t x = uint32_t(n) * 2654435761u + 12345;
    for (auto& b : v) {
        x = x * 1664525u + 1013904223u;
        b = uint8_t(x >> 24);
    }
    return v;
}

}  // namespace

TEST_CASE("keys depend on every byte, on the bounds of parts and on the build") {
    CHECK(CacheKey::of({"ab", "c"}) == CacheKey::of({"ab", "c"}));
    CHECK(!(CacheKey::of({"ab", "c"}) == CacheKey::of({"a", "bc"})));
    CHECK(!(CacheKey::of({"ab", "c"}) == CacheKey::of({"ab", "c", ""})));
    CHECK(key(1).hex().size() == 64);
    CHECK(compiler_build_id().size() >= 8);
}

TEST_CASE("the memory is bounded, and the least recently used entry is evicted first") {
    ShaderCache cache({.memory_limit_B = 3000, .disk_limit_B = 0, .folder = ""});
    CHECK(!cache.get(key(0)));
    for (int n = 0; n < 3; n++)
        cache.put(key(n), value(n));
    CHECK(cache.get(key(0)) == value(0));
    cache.put(key(3), value(3));
    CHECK(cache.get(key(0)) == value(0));
    CHECK(!cache.get(key(1)));
    CHECK(cache.get(key(2)) == value(2));
    cache.put(key(4), value(4, 3001));
    CHECK(!cache.get(key(4)));
    CHECK(cache.get(key(3)) == value(3));
    cache.put(key(3), value(33, 10));
    CHECK(cache.get(key(3)) == value(33, 10));
    CHECK(cache.counts().misses == 3);
}

TEST_CASE("the disk keeps values from one cache to the next") {
    const Folder folder;
    const fs::path deep = folder.path / "made" / "when needed";
    {
        ShaderCache cache(disk_only(deep));
        CHECK(!cache.get(key(1)));
        CHECK(!fs::exists(deep));
        cache.put(key(1), value(1));
        cache.put(key(2), {});
    }
    ShaderCache cache({.memory_limit_B = 1 << 20, .disk_limit_B = 1 << 20, .folder = deep.string()});
    CHECK(cache.get(key(1)) == value(1));
    CHECK(cache.get(key(1)) == value(1));
    CHECK(cache.get(key(2)) == std::vector<uint8_t>{});
    CHECK(!cache.get(key(3)));
    const auto c = cache.counts();
    CHECK(c.disk_hits == 2);
    CHECK(c.memory_hits == 1);
    CHECK(c.misses == 1);
    CHECK((fs::status(deep).permissions() & fs::perms::others_all) == fs::perms::none);
    for (const auto& f : folder.files())
        CHECK(f.filename().string().size() == 62);  // no temporary file is left
}

TEST_CASE("an entry with any damaged byte is a miss and is deleted") {
    const Folder folder;
    ShaderCache cache(disk_only(folder.path));
    cache.put(key(1), value(1, 40));
    REQUIRE(folder.files().size() == 1);
    const fs::path file = folder.files()[0];
    std::vector<char> good(fs::file_size(file));
    std::ifstream(file, std::ios::binary).read(good.data(), std::streamsize(good.size()));
    const auto rewrite = [&](const std::vector<char>& bytes) {
        std::ofstream(file, std::ios::binary | std::ios::trunc)
            .write(bytes.data(), std::streamsize(bytes.size()));
    };
    for (size_t n = 0; n < good.size(); n++) {
        auto bad = good;
        bad[n] = char(bad[n] ^ (1 << (n % 8)));
        rewrite(bad);
        CAPTURE(n);
        REQUIRE(!cache.get(key(1)));
        REQUIRE(!fs::exists(file));
        if (n % 3 == 0) {
            rewrite({good.begin(), good.begin() + std::ptrdiff_t(n)});
            REQUIRE(!cache.get(key(1)));
            REQUIRE(!fs::exists(file));
        }
    }
    auto longer = good;
    longer.push_back(0);
    rewrite(longer);
    CHECK(!cache.get(key(1)));
    rewrite(good);
    CHECK(cache.get(key(1)) == value(1, 40));
    // An entry of another key with this name is a miss.
    cache.put(key(2), value(2));
    for (const auto& f : folder.files())
        if (f != file) fs::copy_file(f, file, fs::copy_options::overwrite_existing);
    CHECK(!cache.get(key(1)));
}

TEST_CASE("large values are compressed, small ones are stored as they are") {
    const Folder folder;
    ShaderCache cache(disk_only(folder.path));
    const std::vector<uint8_t> large(200000, 'x'), small(5000, 'x');
    cache.put(key(1), large);
    REQUIRE(folder.files().size() == 1);
    CHECK(fs::file_size(folder.files()[0]) < 1000);
    CHECK(cache.get(key(1)) == large);
    const fs::path file = folder.files()[0];
    std::vector<char> good(fs::file_size(file));
    std::ifstream(file, std::ios::binary).read(good.data(), std::streamsize(good.size()));
    for (size_t n = 0; n < good.size(); n++) {
        auto bad = good;
        bad[n] = char(bad[n] ^ (1 << (n % 8)));
        std::ofstream(file, std::ios::binary | std::ios::trunc)
            .write(bad.data(), std::streamsize(bad.size()));
        CAPTURE(n);
        REQUIRE(!cache.get(key(1)));
    }
    cache.put(key(2), small);
    CHECK(folder.size_B() > small.size());
    CHECK(cache.get(key(2)) == small);
}

TEST_CASE("files that cannot be written or read are misses, without a message") {
    const Folder folder;
    const fs::path blocked = folder.path / "file";
    std::ofstream(blocked) << "x";
    for (const char* name : {"/proc/no/such/folder", "/dev/null/x", ""}) {
        ShaderCache cache(disk_only(name));
        cache.put(key(1), value(1));
        CHECK(!cache.get(key(1)));
    }
    ShaderCache cache(disk_only(blocked / "sub"));
    cache.put(key(1), value(1));
    CHECK(!cache.get(key(1)));
    if (geteuid() == 0) return;  // root can write anywhere
    const fs::path locked = folder.path / "locked";
    fs::create_directory(locked);
    {
        ShaderCache first(disk_only(locked));
        first.put(key(1), value(1));
    }
    fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
    ShaderCache reader(disk_only(locked));
    reader.put(key(700), value(2));
    CHECK(reader.get(key(1)) == value(1));
    fs::permissions(locked, fs::perms::owner_all);
}

TEST_CASE("a folder that others can write to is not trusted") {
    const Folder folder;
    ShaderCache cache(disk_only(folder.path));
    cache.put(key(1), value(1));
    CHECK(cache.get(key(1)) == value(1));
    REQUIRE(chmod(folder.path.c_str(), 0777) == 0);
    CHECK(!cache.get(key(1)));
    REQUIRE(chmod(folder.path.c_str(), 0700) == 0);
    CHECK(cache.get(key(1)) == value(1));
}

TEST_CASE("no entry is read from or written to a folder that is replaced between two system calls") {
    const Folder top;
    const fs::path good = top.path / "cache", evil = top.path / "evil";
    // Both folders have an entry of the key. Others may write to the folder of the attacker.
    for (const auto& [folder, n] : {std::pair(good, 1), std::pair(evil, 66)}) {
        ShaderCache maker(disk_only(folder));
        maker.put(key(1), value(n));
    }
    REQUIRE(chmod(evil.c_str(), 0777) == 0);
    std::atomic<bool> end = false;
    std::atomic<int> exchanges = 0;
    std::thread other([&] {
        while (!end)
            exchanges += renameat2(AT_FDCWD, good.c_str(), AT_FDCWD, evil.c_str(), RENAME_EXCHANGE) == 0;
    });
    ShaderCache cache(disk_only(good));
    int good_ones = 0, evil_ones = 0;
    for (int n = 0; n < 20000 || (exchanges < 1000 && n < 2000000); n++) {
        if (const auto v = cache.get(key(1))) (*v == value(1) ? good_ones : evil_ones)++;
        if (n % 10 == 0) cache.put(key(2 + n % 50), value(2));
    }
    end = true;
    other.join();
    CHECK(exchanges > 0);
    CHECK(good_ones > 0);
    CHECK(evil_ones == 0);
    struct stat st = {};
    REQUIRE(stat(good.c_str(), &st) == 0);
    const fs::path evil_now = st.st_mode & S_IWOTH ? good : evil;
    size_t files = 0;
    for (const auto& e : fs::recursive_directory_iterator(evil_now))
        files += e.is_regular_file();
    CHECK(files == 1);
}

TEST_CASE("files that others can write to, and links, are not trusted") {
    const Folder folder;
    ShaderCache cache(disk_only(folder.path));
    cache.put(key(1), value(1));
    REQUIRE(folder.files().size() == 1);
    const fs::path file = folder.files()[0];
    REQUIRE(chmod(file.c_str(), 0660) == 0);
    CHECK(!cache.get(key(1)));
    REQUIRE(chmod(file.c_str(), 0600) == 0);
    CHECK(cache.get(key(1)) == value(1));
    fs::rename(file, folder.path / "elsewhere");
    fs::create_symlink(folder.path / "elsewhere", file);
    CHECK(!cache.get(key(1)));
    // A link in place of the folder is not trusted either.
    fs::remove(file);
    fs::rename(folder.path / "elsewhere", file);
    CHECK(cache.get(key(1)) == value(1));
    const Folder top;
    fs::create_directory_symlink(folder.path, top.path / "link");
    CHECK(!ShaderCache(disk_only(top.path / "link")).get(key(1)));
    if (geteuid() != 0) return;
    REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
    CHECK(!cache.get(key(1)));
}

TEST_CASE("an entry beyond RLIMIT_FSIZE is not kept, and ends no program") {
    const Folder folder;
    const pid_t pid = fork();
    if (pid == 0) {
        std::signal(SIGXFSZ, SIG_DFL);
        const rlimit limit = {500, 500};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
        ShaderCache cache(disk_only(folder.path));
        cache.put(key(1), value(1, 5000));
        cache.put(key(2), value(2, 100));
        _exit(cache.get(key(1)) || !cache.get(key(2)) ? 2 : 0);
    }
    int status = -1;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    CHECK(status == 0);
    CHECK(folder.files().size() == 1);  // no partial file is left
}

TEST_CASE("a file-size signal that the program waits for stays pending") {
    sigset_t set, before, waiting;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    REQUIRE(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
    {
        const terrazzo::winsys::FileSizeSignalBlock block;
        REQUIRE(pthread_kill(pthread_self(), SIGXFSZ) == 0);  // as a write of the cache would
    }
    REQUIRE(sigpending(&waiting) == 0);
    CHECK(!sigismember(&waiting, SIGXFSZ));
    REQUIRE(pthread_kill(pthread_self(), SIGXFSZ) == 0);
    { const terrazzo::winsys::FileSizeSignalBlock block; }
    REQUIRE(sigpending(&waiting) == 0);
    CHECK(sigismember(&waiting, SIGXFSZ));
    int number = 0;
    REQUIRE(sigwait(&set, &number) == 0);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
}

/// Adds key(n) with value(n).
static uint64_t size_of_entry_B() {
    const Folder folder;
    ShaderCache cache(disk_only(folder.path));
    cache.put(key(0), value(0));
    return folder.size_B();
}

TEST_CASE("the folder is bounded, and the least recently used entry is deleted first") {
    const Folder folder;
    const uint64_t entry_B = size_of_entry_B(), kLimit_B = 20 * entry_B;
    ShaderCache cache(disk_only(folder.path, kLimit_B));
    for (int n = 0; n < 100; n++) {
        cache.put(key(n), value(n));
        REQUIRE(folder.size_B() <= kLimit_B);
    }
    CHECK(folder.size_B() > kLimit_B / 2);
    CHECK(cache.get(key(99)) == value(99));
    CHECK(!cache.get(key(0)));
    // A use makes an old entry recent. Another cache on the same folder counts the existing entries.
    for (const auto& f : folder.files())
        fs::last_write_time(f, fs::file_time_type::clock::now() - std::chrono::hours(2));
    fs::last_write_time(folder.path / key(91).hex().substr(0, 2) / key(91).hex().substr(2),
                        fs::file_time_type::clock::now() - std::chrono::hours(3));
    CHECK(cache.get(key(90)) == value(90));
    const fs::path stale = folder.files()[0].parent_path() / ".tmp-left-by-a-crash";
    std::ofstream(stale) << "half";
    fs::last_write_time(stale, fs::file_time_type::clock::now() - std::chrono::hours(2));
    ShaderCache other(disk_only(folder.path, kLimit_B));
    for (int n = 200; n < 215; n++)
        other.put(key(n), value(n));
    CHECK(folder.size_B() <= kLimit_B);
    CHECK(other.get(key(90)) == value(90));
    CHECK(!other.get(key(91)));
    CHECK(!fs::exists(stale));
    other.put(key(300), value(300, kLimit_B + 1));
    CHECK(!other.get(key(300)));
}

TEST_CASE("in a large folder only the subfolder of a write is scanned, sometimes") {
    const Folder folder;
    constexpr int kShare = 80;
    const CacheOptions options = disk_only(folder.path, 256 * kShare * size_of_entry_B());
    const auto cache = std::make_unique<ShaderCache>(options);
    const fs::path elsewhere = folder.path / "5b" / "an entry that is older than all";
    fs::create_directory(elsewhere.parent_path());
    std::ofstream(elsewhere) << "x";
    fs::last_write_time(elsewhere, fs::file_time_type::clock::now() - std::chrono::hours(2));
    // The second byte decides which writes scan. It is not a byte of the hash, which differs between builds.
    const auto key_in_5a = [](int n) {
        CacheKey k = key(n);
        k.bytes[0] = 0x5a;
        k.bytes[1] = uint8_t(n / 2);
        return k;
    };
    size_t most = 0;
    for (int n = 0; n < 4 * kShare; n++) {
        // Processes that write one entry each scan as often as one process that writes many.
        if (n % 2)
            ShaderCache(options).put(key_in_5a(n), value(n));
        else
            cache->put(key_in_5a(n), value(n));
        most = std::max(most, folder.files().size());
    }
    CHECK(most > kShare);
    CHECK(most < 2 * kShare);
    CHECK(folder.files().size() > kShare / 2);
    CHECK(cache->get(key_in_5a(4 * kShare - 1)));
    CHECK(fs::exists(elsewhere));
}

TEST_CASE("processes and threads share a folder") {
    const Folder folder;
    const auto work = [&](int player) {
        ShaderCache cache(disk_only(folder.path, 600000));
        bool good = true;
        for (int n = 0; n < 400; n++) {
            const int k = (n * 7 + player * 3) % 50;
            const auto v = cache.get(key(k));
            good &= !v || *v == value(k);
            if (!v) cache.put(key(k), value(k));
        }
        return good;
    };
    std::vector<pid_t> children;
    for (int player = 0; player < 3; player++) {
        const pid_t pid = fork();
        if (pid == 0) _exit(work(player) ? 0 : 1);
        REQUIRE(pid > 0);
        children.push_back(pid);
    }
    std::atomic<bool> good = true;
    ShaderCache shared({.memory_limit_B = 10000, .disk_limit_B = 600000, .folder = folder.path.string()});
    std::vector<std::thread> threads;
    for (int player = 0; player < 3; player++)
        threads.emplace_back([&, player] {
            for (int n = 0; n < 400; n++) {
                const int k = (n * 11 + player) % 50;
                const auto v = shared.get(key(k));
                if (v && *v != value(k)) good = false;
                if (!v) shared.put(key(k), value(k));
            }
        });
    for (auto& t : threads)
        t.join();
    for (pid_t pid : children) {
        int status = -1;
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
    CHECK(good);
    ShaderCache cache(disk_only(folder.path));
    for (int k = 0; k < 50; k++)
        CHECK(cache.get(key(k)) == value(k));
}

TEST_CASE("the folder comes from the environment") {
    const auto set = [](const char* name, const char* v) { v ? setenv(name, v, 1) : unsetenv(name); };
    const char* const names[] = {"TERRAZZO_SHADER_CACHE", "XDG_CACHE_HOME", "HOME"};
    std::optional<std::string> before[3];
    for (int n = 0; n < 3; n++)
        if (const char* v = std::getenv(names[n])) before[n] = v;
    set(names[0], nullptr);
    set(names[1], nullptr);
    set(names[2], "/home/x");
    CHECK(cache_options_from_environment().folder == "/home/x/.cache/terrazzo");
    set(names[1], "/var/x");
    CHECK(cache_options_from_environment().folder == "/var/x/terrazzo");
    set(names[1], "relative");
    CHECK(cache_options_from_environment().folder == "/home/x/.cache/terrazzo");
    set(names[0], "/own");
    CHECK(cache_options_from_environment().folder == "/own");
    set(names[0], "off");
    CHECK(cache_options_from_environment().folder.empty());
    CHECK(cache_options_from_environment().memory_limit_B == 0);
    set(names[0], nullptr);
    set(names[2], nullptr);
    CHECK(cache_options_from_environment().folder.empty());
    CHECK(cache_options_from_environment().memory_limit_B > 0);
    for (int n = 0; n < 3; n++)
        set(names[n], before[n] ? before[n]->c_str() : nullptr);
}
