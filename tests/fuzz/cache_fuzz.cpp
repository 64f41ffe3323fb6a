// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: data that the shader cache reads from the disk, with the right checksum. The first byte
// chooses the reader:
//   0  a file: the header's fields after the key, and the data after the header
//   1  an entry of the CPU driver: machine code, read and loaded
//   2  an entry of Mali's driver: compiled code
//   3  a linked program, as the state tracker stores it
// Machine code in the cache is trusted like the library itself: the user's own account wrote it. It is loaded
// here but not run. (Program binaries may come from anywhere and have their own target.)
#include <stdlib.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "drivers/mali/compiler/stored.h"
#include "drivers/soft/code/image.h"
#include "shader_seeds.h"
#include "shaders/cache/cache.h"
#include "shaders/compile.h"
#include "tests/fuzz/program_texts.h"
#include "tests/fuzz/target.h"

using namespace terrazzo;

namespace {

using Data = std::vector<uint8_t>;

void require(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "cache_fuzz: %s\n", what);
    abort();
}

/// The checksum of a cache file or of a program: XXH3 of all bytes from `from` on, with the bytes of the
/// checksum itself as 0.
void fix_checksum(Data& d, size_t from, size_t checksum_at) {
    std::memset(d.data() + checksum_at, 0, 8);
    const uint64_t sum = XXH3_64bits(d.data() + from, d.size() - from);
    std::memcpy(d.data() + checksum_at, &sum, 8);
}

/// A folder with one entry; the name of its file is known.
class Folder {
  public:
    Folder() {
        const char* const base = getenv("TMPDIR");
        std::string name = std::string(base ? base : "/tmp") + "/terrazzo-fuzz-cache-XXXXXX";
        require(mkdtemp(name.data()) != nullptr, "no temporary folder");
        path_ = name;
        cache_ = std::make_unique<shaders::ShaderCache>(shaders::CacheOptions{0, uint64_t(1) << 30, name});
        const uint8_t value[1] = {42};
        cache_->put(key_, value);
        require(get().value_or(Data{}) == Data(value, value + 1), "an entry does not come back");
        const std::string hex = key_.hex();
        file_ = path_ / hex.substr(0, 2) / hex.substr(2);
        std::ifstream in(file_, std::ios::binary);
        header_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        require(header_.size() > 33, "the file's form has changed");
        // The checksum is the header's last word. This checks it.
        Data same = header_;
        header_.pop_back();
        fix_checksum(same, 0, header_.size() - 8);
        require(std::memcmp(same.data(), header_.data(), header_.size()) == 0,
                "the file's checksum has changed");
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    /// `data`: the header's three words before the checksum, then the data after the header.
    void write(std::span<const uint8_t> data) {
        Data d = header_;
        const size_t n = std::min<size_t>(data.size(), 24);
        std::memcpy(d.data() + d.size() - 32, data.data(), n);
        d.insert(d.end(), data.begin() + ptrdiff_t(n), data.end());
        fix_checksum(d, 0, header_.size() - 8);
        std::ofstream(file_, std::ios::binary)
            .write(reinterpret_cast<const char*>(d.data()), ptrdiff_t(d.size()));
    }
    [[nodiscard]] std::optional<Data> get() { return cache_->get(key_); }

  private:
    const shaders::CacheKey key_ = shaders::CacheKey::of({"fuzz"});
    std::filesystem::path path_, file_;
    std::unique_ptr<shaders::ShaderCache> cache_;
    Data header_;
};

void file(std::span<const uint8_t> data) {
    static Folder folder;
    folder.write(data);
    (void)folder.get();
}

void code_image(std::span<const uint8_t> data) {
    soft::CodeImage image;
    if (!soft::read_image(data, &image)) return;
    std::string error;
    const auto memory = soft::load_image(image, &error);
    require(memory || !error.empty(), "an image is refused without a reason");
}

void mali_code(std::span<const uint8_t> data) {
    ir::BinaryReader in(data);
    mali::compiler::Binary b;
    (void)mali::compiler::read_binary(&in, &b);
}

/// The bytes of a program that links.
Data stored_program() {
    const fuzz::ProgramTexts texts = fuzz::split_program(fuzz::kDrawSeeds[1]);
    shaders::CompileOptions options;
    const auto vertex = shaders::compile(texts[fuzz::Stage::Vertex], options);
    options.stage = ir::Stage::Fragment;
    const auto fragment = shaders::compile(texts[fuzz::Stage::Fragment], options);
    const shaders::CompiledShader* const stages[] = {vertex.shader.get(), fragment.shader.get()};
    const auto linked = shaders::link(stages, {});
    require(linked.program != nullptr, "a plain program does not link");
    return shaders::serialize(*linked.program);
}

/// The input says which bytes of a valid program are changed: three bytes for each change, its position and
/// value.
void program(std::span<const uint8_t> data) {
    constexpr size_t kHeader_B = 24, kSum_B = 16;  // magic, version, length, then the XXH3 of the rest
    static const Data good = stored_program();
    Data d = good;
    for (size_t i = 0; i + 2 < data.size(); i += 3) {
        size_t at = data[i] | size_t(data[i + 1]) << 8;
        at = kHeader_B + at % (d.size() - kHeader_B);
        d[at] = data[i + 2];
    }
    const uint64_t sum = XXH3_64bits(d.data() + kHeader_B, d.size() - kHeader_B);
    std::memcpy(d.data() + kSum_B, &sum, 8);
    if (data.empty()) require(d == good, "the program's checksum has changed");
    const auto p = shaders::deserialize(d, shaders::Stages::WhenNeeded);
    if (!p) return;
    for (const shaders::LinkedStage& s : p->stages)
        (void)s.get();
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    if (!size) return 0;
    static const bool checked = (program({}), true);
    (void)checked;
    const std::span<const uint8_t> rest(data + 1, size - 1);
    switch (data[0] % 4) {
        case 0:
            file(rest);
            break;
        case 1:
            code_image(rest);
            break;
        case 2:
            mali_code(rest);
            break;
        default:
            program(rest);
    }
    return 0;
}
