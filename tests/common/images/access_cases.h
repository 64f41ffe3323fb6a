// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's access to images (drivers/common/images/access.h), on any device: the CPU writes while the
// device uses the image, and two contexts record on a compressed image.
#pragma once

#include <new>
#include <random>
#include <string>
#include <vector>

#include "drivers/common/images/stored.h"
#include "drivers/common/memory/fence.h"
#include "tests/common/memory/controlled_drm.h"
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

/// Its device must report what is slow (DebugWord::Perf).
struct AccessScene : DriverScene {
    template <class F>
    explicit AccessScene(F&& make_screen)
        : DriverScene(16, 16, pipe::Format::None, std::forward<F>(make_screen)) {
        second = screen->create_context({.robust = true});
        REQUIRE(second);
    }
    ~AccessScene() { second.reset(); }

    using Bytes = std::vector<uint8_t>;
    static images::StoredResource& stored(pipe::Resource& r) {
        return static_cast<images::StoredResource&>(r);
    }
    static pipe::Box all_of(pipe::Resource& r, uint32_t level) {
        const pipe::SurfaceLayout& l = stored(r).layout;
        return {0,
                0,
                0,
                int32_t(l.level[level].width),
                int32_t(l.level[level].height),
                int32_t(l.z_count(level))};
    }
    static size_t row_B(pipe::Resource& r, const pipe::Box& box) {
        return size_t(pipe::format_row_B(r.desc.format, uint32_t(box.width)));
    }
    static size_t rows(pipe::Resource& r, const pipe::Box& box) {
        return pipe::format_block_rows(r.desc.format, uint32_t(box.height));
    }
    static void write(pipe::Context& c, pipe::Resource& r, uint32_t level, const pipe::Box& box,
                      const Bytes& bytes, uint32_t flags = pipe::map_flag::kDiscardRange) {
        const pipe::Mapping m = c.map(r, level, box, pipe::map_flag::kWrite | flags);
        REQUIRE(m.data);
        const uint8_t* from = bytes.data();
        for (size_t z = 0; z < size_t(box.depth); ++z)
            for (size_t y = 0; y < rows(r, box); ++y, from += row_B(r, box))
                std::memcpy(static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + y * m.row_stride_B, from,
                            row_B(r, box));
        c.unmap(r, m);
    }
    static Bytes read(pipe::Context& c, pipe::Resource& r, uint32_t level, const pipe::Box& box) {
        const pipe::Mapping m = c.map(r, level, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        Bytes out;
        for (size_t z = 0; z < size_t(box.depth); ++z)
            for (size_t y = 0; y < rows(r, box); ++y) {
                const uint8_t* const row =
                    static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + y * m.row_stride_B;
                out.insert(out.end(), row, row + row_B(r, box));
            }
        c.unmap(r, m);
        return out;
    }
    Bytes noise(pipe::Resource& r, const pipe::Box& box) {
        Bytes out(row_B(r, box) * rows(r, box) * size_t(box.depth));
        for (uint8_t& b : out)
            b = uint8_t(random());
        // The bits in addition to stencil are unused.
        if (r.desc.format == pipe::Format::D32_FLOAT_S8X24_UINT)
            for (size_t i = 0; i < out.size(); i += 8)
                out[i + 5] = out[i + 6] = out[i + 7] = 0;
        if (r.desc.format == pipe::Format::D24_UNORM_X8)
            for (size_t i = 3; i < out.size(); i += 4)
                out[i] = 0;
        return out;
    }
    /// Copies `part`, whose position is `box`, into `whole`.
    static void put(pipe::Resource& r, const pipe::Box& all, const pipe::Box& box, const Bytes& part,
                    Bytes* whole) {
        const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
        const size_t x_B = size_t(box.x) / f.block_w_px * f.block_B, y0 = size_t(box.y) / f.block_h_px;
        const uint8_t* from = part.data();
        for (size_t z = 0; z < size_t(box.depth); ++z)
            for (size_t y = 0; y < rows(r, box); ++y, from += row_B(r, box))
                std::memcpy(
                    whole->data() + ((z + size_t(box.z)) * rows(r, all) + y0 + y) * row_B(r, all) + x_B, from,
                    row_B(r, box));
    }
    /// Flushes, and returns the timeline's point of the recorded work.
    static uint64_t flush(pipe::Context& c) {
        const pipe::Ref<pipe::Fence> fence = c.flush();
        return static_cast<memory::Fence&>(*fence).point.value;
    }
    static void copy(pipe::Context& c, pipe::Resource& to, pipe::Resource& from, uint32_t level) {
        c.copy_region(to, level, 0, 0, 0, from, level, all_of(from, level));
    }
    void clear(pipe::Context& c, pipe::Resource& r, float red, float green, uint32_t layer = 0) {
        pipe::RenderPassDesc p;
        p.color_count = 1;
        p.color[0].resource = &r;
        p.color[0].format = r.desc.format;
        p.color[0].first_layer = uint16_t(layer);
        p.color[0].load = pipe::LoadOp::Clear;
        p.clear_color[0] = {.f = {red, green, 0, 1}};
        p.width = r.desc.width;
        p.height = r.desc.height;
        p.area = {0, 0, int32_t(p.width), int32_t(p.height)};
        c.begin_render_pass(p);
        c.end_render_pass();
    }
    pipe::Ref<pipe::Resource> target(uint32_t layers = 1) {
        pipe::ResourceDesc d;
        d.kind = layers == 1 ? pipe::ResourceKind::Tex2D : pipe::ResourceKind::Tex2DArray;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        d.width = d.height = 128;
        d.layers = layers;
        d.bind = pipe::bind::kColor | pipe::bind::kSampled;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    static uint32_t pixel(pipe::Context& c, pipe::Resource& r, int32_t layer = 0, int32_t x = 5) {
        uint32_t out = 0;
        std::memcpy(&out, read(c, r, 0, {x, 7, layer, 1, 1, 1}).data(), 4);
        return out;
    }
    /// Whether since the last call the CPU has waited, or work was submitted so that it could wait.
    bool waited() {
        const bool out = messages.has("waits") || messages.has("waited for");
        messages.clear();
        return out;
    }

    std::unique_ptr<pipe::Context> second;
    std::mt19937 random{7};
};

/// Rounds the box to blocks.
inline pipe::Box some_box(pipe::Resource& r, uint32_t level) {
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const pipe::Box all = AccessScene::all_of(r, level);
    const auto down = [](int32_t px, int32_t block) { return px / block * block; };
    pipe::Box b;
    b.x = down(all.width / 5, f.block_w_px);
    b.y = down(all.height / 3, f.block_h_px);
    b.z = all.depth / 3;
    b.width = std::max(int32_t(f.block_w_px), down(all.width / 2, f.block_w_px));
    b.height = std::max(int32_t(f.block_h_px), down(all.height / 2, f.block_h_px));
    b.width = std::min(b.width, all.width - b.x);
    b.height = std::min(b.height, all.height - b.y);
    b.depth = std::max(1, all.depth / 2);
    return b;
}

/// Checks images of this kind in all formats that the device can sample. Returns their number.
inline unsigned check_uploads(AccessScene& s, pipe::ResourceKind kind) {
    using K = pipe::ResourceKind;
    constexpr uint64_t kInUse_B = 20 << 10;  // large enough that the device copies it
    constexpr uint32_t kLevels = 3;
    unsigned count = 0;
    for (unsigned i = 1; i < pipe::kFormatCount; ++i) {
        const auto format = pipe::Format(i);
        if (!s.screen->format_supported(format, kind, 1, pipe::bind::kSampled)) continue;
        CAPTURE(std::string(pipe::format_name(format)));
        pipe::ResourceDesc d;
        d.kind = kind;
        d.format = format;
        d.levels = kLevels;
        d.bind = pipe::bind::kSampled;
        d.depth = kind == K::Tex3D ? 7 : 1;
        d.layers = kind == K::Tex2DArray ? 5 : kind == K::Cube ? 6 : 1;
        for (d.width = 53, d.height = 37;
             uint64_t(pipe::format_row_B(format, d.width)) * pipe::format_block_rows(format, d.height) <
             kInUse_B;) {
            d.width = 2 * d.width + 1;
            d.height = 2 * d.height + 1;
        }
        if (kind == K::Cube) d.width = d.height = std::max(d.width, d.height);
        const auto image = s.screen->create_resource(d), before = s.screen->create_resource(d),
                   after = s.screen->create_resource(d);
        if (!image || !before || !after) {
            s.messages.clear();
            continue;  // compressed 3D images
        }
        ++count;
        AccessScene::Bytes old[kLevels];
        for (uint32_t level = 0; level < kLevels; ++level) {
            const pipe::Box all = AccessScene::all_of(*image, level);
            old[level] = s.noise(*image, all);
            AccessScene::write(*s.context, *image, level, all, old[level]);
        }
        s.messages.clear();
        for (uint32_t level = 0; level < kLevels; ++level) {
            CAPTURE(level);
            const uint64_t first = AccessScene::flush(*s.context);
            // Recorded or submitted work reads the image. Then the CPU writes it, and work reads it again.
            AccessScene::copy(*s.context, *before, *image, 0);
            if (level == 1) (void)s.context->flush();
            const pipe::Box all = AccessScene::all_of(*image, level), box = some_box(*image, level);
            const auto fresh = s.noise(*image, box);
            AccessScene::write(*s.context, *image, level, box, fresh);
            AccessScene::copy(*s.context, *after, *image, level);
            CHECK(!s.waited());
            // At most one submission that reads and one that writes.
            CHECK(AccessScene::flush(*s.context) - first <= (level == 1 ? 2 : 1));
            CHECK(AccessScene::read(*s.context, *before, 0, AccessScene::all_of(*image, 0)) == old[0]);
            AccessScene::put(*image, all, box, fresh, &old[level]);
            CHECK(AccessScene::read(*s.context, *after, level, all) == old[level]);
            CHECK(AccessScene::read(*s.context, *image, level, all) == old[level]);
            s.messages.clear();
        }
    }
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
    return count;
}

/// Each submission waits for the submissions of other contexts on the image. The CPU does not wait.
inline void check_uploads_of_two_contexts(AccessScene& s) {
    const auto image = s.image(pipe::Format::R8G8B8A8_UNORM, 128, 128, pipe::bind::kSampled, 2);
    const auto out = s.image(pipe::Format::R8G8B8A8_UNORM, 128, 128, pipe::bind::kSampled, 2);
    const pipe::Box all = AccessScene::all_of(*image, 0);
    AccessScene::Bytes now = s.noise(*image, all);
    AccessScene::write(*s.context, *image, 0, all, now);
    s.messages.clear();
    for (int i = 0; i < 8; ++i) {
        CAPTURE(i);
        pipe::Context &writer = i % 2 ? *s.second : *s.context, &reader = i % 2 ? *s.context : *s.second;
        // The reader has the old pixels, and is submitted first.
        AccessScene::copy(reader, *out, *image, 0);
        (void)reader.flush();
        const pipe::Box box{i * 3, i * 5, 0, 61, 33, 1};
        const auto fresh = s.noise(*image, box);
        AccessScene::write(writer, *image, 0, box, fresh);
        (void)writer.flush();
        CHECK(!s.waited());
        CHECK(AccessScene::read(reader, *out, 0, all) == now);
        AccessScene::put(*image, all, box, fresh, &now);
        AccessScene::copy(reader, *out, *image, 0);
        CHECK(AccessScene::read(reader, *out, 0, all) == now);
        s.messages.clear();
    }
}

/// Discarded contents are not copied: the image gets new memory.
inline void check_renewed_images(AccessScene& s) {
    const auto image = s.image(pipe::Format::R8G8B8A8_UNORM, 128, 128, pipe::bind::kSampled);
    const auto out = s.image(pipe::Format::R8G8B8A8_UNORM, 128, 128, pipe::bind::kSampled);
    const pipe::Box all = AccessScene::all_of(*image, 0);
    constexpr uint32_t kWhole = pipe::map_flag::kDiscardRange | pipe::map_flag::kDiscardWhole;
    for (const bool viewed : {false, true}) {
        CAPTURE(viewed);
        // An image with several views keeps its memory, because their descriptors have its address.
        std::vector<pipe::Ref<pipe::SamplerView>> views;
        for (int i = 0; viewed && i < 2; ++i) {
            pipe::SamplerViewDesc d;
            d.format = image->desc.format;
            views.push_back(s.screen->create_sampler_view(image, d));
            REQUIRE(views.back());
        }
        for (const bool recorded : {false, true}) {
            CAPTURE(recorded);
            const auto now = s.noise(*image, all), next = s.noise(*image, all);
            AccessScene::write(*s.context, *image, 0, all, now, kWhole);
            const pipe::Ref<memory::Bo> memory = AccessScene::stored(*image).bo();
            s.messages.clear();
            AccessScene::copy(*s.context, *out, *image, 0);
            if (!recorded) (void)s.context->flush();
            const bool busy = recorded || memory->busy(true);
            AccessScene::write(*s.context, *image, 0, all, next, kWhole);
            CHECK(!s.waited());
            if (busy && !recorded) CHECK((AccessScene::stored(*image).bo() != memory) == !viewed);
            CHECK(AccessScene::read(*s.context, *out, 0, all) == now);
            CHECK(AccessScene::read(*s.context, *image, 0, all) == next);
        }
    }
}

/// The CPU writes a part of a compressed image. It stays compressed, and the CPU does not wait.
inline void check_uploads_to_compressed(AccessScene& s) {
    const auto image = s.target();
    s.clear(*s.context, *image, 0, 1);
    REQUIRE(AccessScene::stored(*image).is_compressed());
    const pipe::Box box{16, 3, 0, 40, 20, 1};
    const auto fresh = s.noise(*image, box);
    s.messages.clear();
    AccessScene::write(*s.context, *image, 0, box, fresh);
    CHECK(!s.waited());
    CHECK(AccessScene::stored(*image).is_compressed());
    (void)s.context->flush();
    CHECK(AccessScene::read(*s.second, *image, 0, box) == fresh);
    CHECK(AccessScene::pixel(*s.second, *image) == 0xff00ff00);
    CHECK(AccessScene::stored(*image).is_compressed());
}

/// If one context needs an image uncompressed, and the other one has recorded draws to it, the pixels of both
/// are kept.
inline void check_forms_of_two_contexts(AccessScene& s, const std::string& vendor) {
    constexpr uint32_t kPlain = pipe::map_flag::kRead | pipe::map_flag::kPersistent;
    const auto image = s.target(8);
    images::StoredResource& r = AccessScene::stored(*image);
    for (uint32_t layer = 0; layer < 8; ++layer)
        s.clear(*s.context, *image, 0, 1, layer);
    (void)s.context->flush();
    REQUIRE(r.is_compressed());
    s.clear(*s.second, *image, 1, 0, 2);  // recorded, not submitted
    s.messages.clear();
    CHECK_THROWS_AS((void)s.context->map(*image, 0, {0, 0, 3, 1, 1, 1}, kPlain), std::bad_alloc);
    CHECK(r.is_compressed());
    CHECK(s.messages.has(vendor +
                         ": cannot decompress an image: another context draws to it and does not flush"));
    // Until then the CPU can read copies, as often as it wants, and write.
    for (int i = 0; i < 6; ++i)
        CHECK(AccessScene::read(*s.context, *image, 0, {0, 0, 0, 128, 128, 8}).size() == 128 * 128 * 4 * 8);
    AccessScene::write(*s.context, *image, 0, {5, 7, 4, 1, 1, 1}, {1, 2, 3, 4});
    CHECK(r.is_compressed());
    (void)s.context->flush();
    (void)s.second->flush();
    const pipe::Mapping m = s.context->map(*image, 0, {0, 0, 0, 1, 1, 1}, kPlain);
    CHECK(!r.is_compressed());
    // A tiled image has no persistent map. This test only needs that it is uncompressed.
    if (m.data) s.context->unmap(*image, m);
    for (pipe::Context* const c : {s.context.get(), s.second.get()}) {
        CHECK(AccessScene::pixel(*c, *image, 2) == 0xff0000ff);
        CHECK(AccessScene::pixel(*c, *image, 3) == 0xff00ff00);
        CHECK(AccessScene::pixel(*c, *image, 4) == 0x04030201);
    }
}

/// `control`: for the device's file. If a map's pixels cannot be written back, unmap still ends the map, and
/// the image keeps its old contents.
inline void check_failed_unmaps(AccessScene& s, DrmControl& control) {
    const auto image = s.target();
    s.clear(*s.context, *image, 0, 1);
    (void)s.context->flush();
    REQUIRE(AccessScene::stored(*image).is_compressed());
    int handles = 0;
    unsigned failed = 0;
    for (int i = 0; i < 120; ++i) {
        const pipe::Mapping m = s.context->map(*image, 0, {0, 0, 0, 128, 128, 1},
                                               pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange);
        REQUIRE(m.data);
        control.full = true;
        try {
            s.context->unmap(*image, m);
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        control.full = false;
        (void)s.context->flush()->wait(pipe::Fence::kForever);
        if (i == 60) handles = control.open_handles;
    }
    CHECK(failed > 0);
    CHECK(int(control.open_handles) <= handles);
    CHECK(AccessScene::stored(*image).pins == 0);
}

}  // namespace terrazzo::test
