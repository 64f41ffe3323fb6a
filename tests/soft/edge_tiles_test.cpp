// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Imported images of every size. Their last byte is directly before an inaccessible page, and the bytes
// between their rows have other owners. Draws, clears, copies, resolves and maps must change only the pixels,
// and the pixels must be those of an ordinary image.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "drivers/soft/kernel/kernel.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kMost_px = 70;
constexpr size_t kPage_B = 4096;
constexpr uint8_t kOthers = 0x5a;  // the content of the memory around the image

/// A sealed memfd. The page after its end is inaccessible in every mapping.
class Guarded {
  public:
    explicit Guarded(size_t usable_B) : usable_B_((usable_B + kPage_B - 1) / kPage_B * kPage_B) {
        fd_ = memfd_create("guarded", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        REQUIRE(fd_ >= 0);
        REQUIRE(ftruncate(fd_, off_t(usable_B_ + kPage_B)) == 0);
        REQUIRE(fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
        void* const p = mmap(nullptr, usable_B_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
        REQUIRE(p != MAP_FAILED);
        bytes_ = static_cast<uint8_t*>(p);
    }
    ~Guarded() {
        munmap(bytes_, usable_B_);
        close(fd_);
    }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    /// The image at its end, filled with kOthers. Rows have a gap of `gap_B` bytes.
    pipe::Ref<pipe::Resource> image(Scene& scene, const pipe::ResourceDesc& d, uint32_t gap_B) {
        row_B_ = pipe::format_row_B(d.format, d.width);
        rows_ = d.height;
        stride_B_ = row_B_ + gap_B;
        first_ = usable_B_ - ((rows_ - 1) * stride_B_ + row_B_);
        std::memset(bytes_, kOthers, usable_B_);
        pipe::SharedImage shared;
        shared.fd = fd_;
        shared.modifier = pipe::kModifierLinear;
        shared.offset_B = uint32_t(first_);
        shared.stride_B = uint32_t(stride_B_);
        pipe::Ref<pipe::Resource> r = scene.screen.import_resource(d, shared);
        if (r) REQUIRE(mprotect(soft(*r).data() + usable_B_, kPage_B, PROT_NONE) == 0);
        return r;
    }
    /// Whether only the image's pixels have changed.
    [[nodiscard]] bool others_are_untouched() const {
        const auto untouched = [&](size_t from, size_t to) {
            return std::all_of(bytes_ + from, bytes_ + to, [](uint8_t b) { return b == kOthers; });
        };
        if (!untouched(0, first_)) return false;
        for (size_t y = 0; y + 1 < rows_; ++y)
            if (!untouched(first_ + y * stride_B_ + row_B_, first_ + (y + 1) * stride_B_)) return false;
        return true;
    }
    [[nodiscard]] std::vector<uint8_t> pixels() const {
        std::vector<uint8_t> out;
        for (size_t y = 0; y < rows_; ++y)
            out.insert(out.end(), bytes_ + first_ + y * stride_B_, bytes_ + first_ + y * stride_B_ + row_B_);
        return out;
    }

  private:
    int fd_ = -1;
    uint8_t* bytes_ = nullptr;
    size_t usable_B_, first_ = 0, row_B_ = 0, stride_B_ = 0, rows_ = 0;
};

pipe::ResourceDesc picture(pipe::Format f, uint32_t width, uint32_t height) {
    pipe::ResourceDesc d;
    d.format = f;
    d.width = width, d.height = height;
    d.bind = pipe::bind::kColor | pipe::bind::kSampled;
    return d;
}

void target(Scene& s, pipe::Resource& r) {
    s.pass = {};
    s.pass.color_count = 1;
    s.pass.color[0].resource = &r;
    s.pass.color[0].format = r.desc.format;
    s.pass.width = r.desc.width;
    s.pass.height = r.desc.height;
    s.pass.color[0].load = pipe::LoadOp::Load;
}

/// Draws of every kind that reach the last row and column: fills, runs of blocks, blending, masks, discards,
/// points and lines.
void draw_all(Scene& s, uint32_t w, uint32_t h) {
    const float x = float(w), y = float(h);
    const float red[4] = {1, 0.25f, 0, 1}, thin[4] = {0, 0.5f, 1, 0.5f};
    s.blend({});
    s.paint(Paint::Solid);
    s.solid(red);
    s.rectangle(0, 0, x, y, 0.5f, red);
    s.rectangle(x - 1, y - 1, x, y, 0.5f, red);
    s.paint(Paint::Varying);
    s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(2 * x, 0), s.at(0, 2 * y)});
    s.paint(Paint::DiscardOdd);
    s.rectangle(0, 0, x, y, 0.5f, red);
    pipe::BlendDesc over;
    over.targets[0].enable = true;
    over.targets[0].src_rgb = over.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
    over.targets[0].dst_rgb = over.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
    s.blend(over);
    s.paint(Paint::Varying);
    s.rectangle(0, 0, x, y, 0.5f, thin);
    s.draw(pipe::Primitive::Triangles, {s.at(x, y), s.at(x - 3, y), s.at(x, y - 3)});
    s.paint(Paint::Solid);
    s.solid(thin);
    s.rectangle(1, 1, x, y, 0.5f, thin);
    pipe::BlendDesc masked;
    masked.targets[0].write_mask = 5;
    s.blend(masked);
    s.paint(Paint::Varying);
    s.rectangle(0, y - 1, x, y, 0.5f, thin);
    s.draw(pipe::Primitive::Lines,
           {s.at(0, y - 0.5f), s.at(x, y - 0.5f), s.at(x - 0.5f, 0), s.at(x - 0.5f, y)});
    s.draw(pipe::Primitive::Points, {s.at(x - 0.5f, y - 0.5f)});
    s.blend({});
    s.paint(Paint::Invert);
    s.rectangle(0, 0, x, y, 0.5f, red);
}

void clears(Scene& s, uint32_t w, uint32_t h) {
    pipe::ClearInfo part;
    part.attachments = pipe::attachment_bit::kColor0;
    part.scissored = true;
    part.scissor = {int32_t(w) / 2, int32_t(h) / 2, int32_t(w), int32_t(h)};
    part.color[0].f[0] = 0.5f;
    s.context->clear(part);
}

/// The same operations on any image.
void use(Scene& s, pipe::Resource& r, bool whole_clear) {
    const uint32_t w = r.desc.width, h = r.desc.height;
    target(s, r);
    s.context->set_viewport({{float(w) / 2, float(h) / 2, 0.5f}, {float(w) / 2, float(h) / 2, 0.5f}});
    if (whole_clear) s.pass.color[0].load = pipe::LoadOp::Clear;
    s.context->begin_render_pass(s.pass);
    draw_all(s, w, h);
    clears(s, w, h);
    draw_all(s, w, h);
    s.context->end_render_pass();
    REQUIRE(s.context->flush()->wait(pipe::Fence::kForever));
}

std::vector<uint8_t> map_pixels(Scene& s, pipe::Resource& r) {
    const pipe::Box all = {0, 0, 0, int32_t(r.desc.width), int32_t(r.desc.height), 1};
    const pipe::Mapping m = s.context->map(r, 0, all, pipe::map_flag::kRead);
    REQUIRE(m.data);
    const size_t row_B = pipe::format_row_B(r.desc.format, r.desc.width);
    std::vector<uint8_t> out;
    for (uint32_t y = 0; y < r.desc.height; ++y) {
        const auto* const row = static_cast<const uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
        out.insert(out.end(), row, row + row_B);
    }
    s.context->unmap(r, m);
    return out;
}

void fill(Scene& s, pipe::Resource& r, uint8_t seed) {
    const pipe::Box all = {0, 0, 0, int32_t(r.desc.width), int32_t(r.desc.height), 1};
    const pipe::Mapping m = s.context->map(r, 0, all, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    const size_t row_B = pipe::format_row_B(r.desc.format, r.desc.width);
    for (uint32_t y = 0; y < r.desc.height; ++y)
        for (size_t i = 0; i < row_B; ++i)
            static_cast<uint8_t*>(m.data)[size_t(y) * m.row_stride_B + i] =
                uint8_t(seed + i * 7 + y * 13) & 0x3b;
    s.context->unmap(r, m);
}

/// One size of one format: with and without a clear at the beginning of the pass.
void check(Scene& s, Guarded& memory, pipe::Format format, uint32_t w, uint32_t h, uint32_t gap_B) {
    CAPTURE(std::string(pipe::format_info(format).name));
    CAPTURE(w);
    CAPTURE(h);
    CAPTURE(gap_B);
    const pipe::ResourceDesc d = picture(format, w, h);
    for (const bool whole_clear : {false, true}) {
        const pipe::Ref<pipe::Resource> shared = memory.image(s, d, gap_B);
        REQUIRE(shared);
        const pipe::Ref<pipe::Resource> own = s.screen.create_resource(d);
        REQUIRE(own);
        fill(s, *shared, 3);
        fill(s, *own, 3);
        use(s, *shared, whole_clear);
        use(s, *own, whole_clear);
        CHECK(memory.others_are_untouched());
        const std::vector<uint8_t> expected = map_pixels(s, *own);
        CHECK(memory.pixels() == expected);
        CHECK(map_pixels(s, *shared) == expected);
    }
}

}  // namespace

TEST_CASE("edge tiles: imported images of every size change only in their pixels") {
    Guarded memory(kMost_px * (kMost_px * 4 + 16));
    Scene s;
    for (uint32_t h = 1; h <= kMost_px; ++h)
        for (uint32_t w = 1; w <= kMost_px; ++w)
            check(s, memory, pipe::Format::R8G8B8A8_UNORM, w, h, (w + h) % 3 * 4);
    CHECK(s.messages.empty());
}

TEST_CASE("edge tiles: every renderable format, with each kernel") {
    Guarded memory(kMost_px * (kMost_px * 16 + 64));
    constexpr uint32_t kSizes[][2] = {{1, 1},   {2, 1},   {3, 2},  {5, 3},  {4, 2},  {63, 65},
                                      {64, 64}, {65, 63}, {66, 1}, {1, 67}, {70, 69}};
    unsigned formats = 0;
    for (const RunTileFn kernel : {RunTileFn(baseline::run_tile), select_run_tile()}) {
        SceneOptions options;
        options.kernel = kernel;
        Scene s(options);
        for (unsigned f = 1; f < pipe::kFormatCount; ++f) {
            const auto format = pipe::Format(f);
            const pipe::FormatInfo& info = pipe::format_info(format);
            if (info.is_depth_stencil() || info.is_pure_uint || info.is_pure_sint ||
                !s.screen.format_supported(format, pipe::ResourceKind::Tex2D, 1,
                                           pipe::bind::kColor | pipe::bind::kShared))
                continue;
            ++formats;
            for (const auto& size : kSizes)
                check(s, memory, format, size[0], size[1], size[0] % 2 * info.block_B);
        }
    }
    CHECK(formats > 20);
}

TEST_CASE("edge tiles: several threads, and an ordinary target in addition to an imported one") {
    Guarded memory(131 * 258 * 4);
    Scene s({.threads = 3});
    for (const uint32_t h : {130u, 131u}) {
        check(s, memory, pipe::Format::B8G8R8A8_UNORM, 257, h, 4);
        const pipe::ResourceDesc d = picture(pipe::Format::B8G8R8A8_UNORM, 257, h);
        const pipe::Ref<pipe::Resource> shared = memory.image(s, d, 0), own = s.screen.create_resource(d);
        REQUIRE(shared);
        fill(s, *shared, 9);
        fill(s, *own, 9);
        target(s, *own);
        s.pass.color_count = 2;
        s.pass.color[1] = s.pass.color[0];
        s.pass.color[1].resource = shared.get();
        s.context->begin_render_pass(s.pass);
        pipe::ClearInfo both;
        both.attachments = pipe::attachment_bit::kColor0 | pipe::attachment_bit::kColor0 << 1;
        both.color[0].f[1] = both.color[1].f[1] = 1;
        both.scissored = true;
        both.scissor = {1, 1, 257, int32_t(h)};
        s.context->clear(both);
        s.context->end_render_pass();
        REQUIRE(s.context->flush()->wait(pipe::Fence::kForever));
        CHECK(memory.others_are_untouched());
        CHECK(memory.pixels() == map_pixels(s, *own));
    }
}

TEST_CASE("edge tiles: copies, conversions and resolves stay within the pixels") {
    Guarded memory(kMost_px * kMost_px * 16);
    Scene s;
    constexpr uint32_t kSizes[][2] = {{1, 1}, {3, 1}, {5, 3}, {7, 2}, {63, 65}, {70, 69}};
    for (const pipe::Format format :
         {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B8G8R8A8_UNORM, pipe::Format::R8_UNORM,
          pipe::Format::R16G16B16A16_FLOAT, pipe::Format::B5G6R5_UNORM})
        for (const auto& size : kSizes) {
            CAPTURE(std::string(pipe::format_info(format).name));
            CAPTURE(size[0]);
            CAPTURE(size[1]);
            const pipe::ResourceDesc d = picture(format, size[0], size[1]);
            const pipe::Box all = {0, 0, 0, int32_t(size[0]), int32_t(size[1]), 1};
            const pipe::Ref<pipe::Resource> shared = memory.image(s, d, 0), own = s.screen.create_resource(d);
            REQUIRE(shared);
            fill(s, *own, 77);
            s.context->copy_region(*shared, 0, 0, 0, 0, *own, 0, all);
            CHECK(memory.pixels() == map_pixels(s, *own));
            // A conversion to another format and back.
            pipe::ResourceDesc other = d;
            other.format = pipe::Format::R32G32B32A32_FLOAT;
            const pipe::Ref<pipe::Resource> floats = s.screen.create_resource(other);
            pipe::BlitInfo blit;
            blit.src = {shared.get(), format, 0, all};
            blit.dst = {floats.get(), other.format, 0, all};
            blit.color = true;
            CHECK(s.context->try_blit(blit));
            std::swap(blit.src, blit.dst);
            CHECK(s.context->try_blit(blit));
            CHECK(memory.pixels() == map_pixels(s, *own));
            // Four equal samples.
            pipe::ResourceDesc many = picture(format, size[0], size[1]);
            many.bind = pipe::bind::kColor;
            many.samples = 4;
            const pipe::Ref<pipe::Resource> samples = s.screen.create_resource(many);
            REQUIRE(samples);
            target(s, *samples);
            s.pass.color[0].load = pipe::LoadOp::Clear;
            s.pass.clear_color[0].f[0] = 1;
            s.context->begin_render_pass(s.pass);
            s.context->end_render_pass();
            blit.src = {samples.get(), format, 0, all};
            blit.dst = {shared.get(), format, 0, all};
            CHECK(s.context->try_blit(blit));
            target(s, *own);
            s.pass.color[0].load = pipe::LoadOp::Clear;
            s.pass.clear_color[0].f[0] = 1;
            s.context->begin_render_pass(s.pass);
            s.context->end_render_pass();
            CHECK(memory.pixels() == map_pixels(s, *own));
            // Samples that are resolved tile by tile.
            target(s, *shared);
            s.pass.color[0].samples = 4;
            s.pass.samples = 4;
            s.context->begin_render_pass(s.pass);
            draw_all(s, size[0], size[1]);
            s.context->end_render_pass();
            REQUIRE(s.context->flush()->wait(pipe::Fence::kForever));
            CHECK(memory.others_are_untouched());
        }
}

}  // namespace terrazzo::soft::test
