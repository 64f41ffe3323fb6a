// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies, mipmaps and the CPU's accesses of AFBC images, and two contexts that share one. The results are
// those of plain images, and the images stay compressed.
#include <random>

#include "drivers/mali/images/compression.h"
#include "pipe/blit/blit.h"
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

namespace {

using pipe::Box;
using pipe::Format;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

constexpr Compression kPlain{false, false};
constexpr Format kColors[] = {Format::R8_UNORM,         Format::R8G8_UNORM,     Format::R8G8B8A8_UNORM,
                              Format::R8G8B8A8_SRGB,    Format::R8G8B8X8_UNORM, Format::B8G8R8A8_UNORM,
                              Format::B5G6R5_UNORM,     Format::A4B4G4R4_UNORM, Format::B5G5R5A1_UNORM,
                              Format::R10G10B10A2_UNORM};
constexpr Format kDepths[] = {Format::D16_UNORM, Format::D24_UNORM_X8, Format::D24_UNORM_S8_UINT};

using Bytes = std::vector<uint8_t>;

bool compressed(const pipe::Ref<pipe::Resource>& r) {
    return mali::mali(*r).afbc();
}

struct Access : MaliScene {
    explicit Access(Compression c, int32_t w = 100, int32_t h = 70, Format zs = Format::None)
        : MaliScene(w, h, "sim:mali-g610", zs, {}, c), is_plain(!c.afbc) {}
    /// A target with some content, a part of it from a pass that loads the rest.
    pipe::Ref<pipe::Resource> drawn(Format f, int32_t w, int32_t h, uint32_t levels = 1) {
        pipe::ResourceDesc d;
        d.format = f;
        d.width = uint32_t(w);
        d.height = uint32_t(h);
        d.levels = levels;
        d.bind =
            (pipe::format_info(f).is_depth_stencil() ? bind::kDepthStencil : bind::kColor) | bind::kSampled;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        draw_into(*context, *r, {0.2f, 0.4f, 0.6f, 0.8f});
        rectangle_in(*context, *r, {0, 0, 0, w / 2, h / 3, 1}, {0.9f, 0.1f, 0.3f, 0.4f});
        rectangle_in(*context, *r, {w / 4, h / 4, 0, w / 2 + 3, h / 2 + 1, 1}, {0.11f, 0.57f, 0.93f, 0.35f});
        CHECK(compressed(r) == !is_plain);
        return r;
    }
    pipe::RenderPassDesc pass_of(pipe::Resource& r) {
        pipe::RenderPassDesc p;
        const pipe::Attachment a{.resource = &r, .format = r.desc.format};
        if (pipe::format_info(r.desc.format).is_depth_stencil()) {
            p.depth_stencil = a;
        } else {
            p.color_count = 1;
            p.color[0] = a;
        }
        p.width = r.desc.width;
        p.height = r.desc.height;
        return p;
    }
    /// Draws to the whole image.
    void draw_into(pipe::Context& c, pipe::Resource& r, const std::array<float, 4>& rgba) {
        pipe::RenderPassDesc p = pass_of(r);
        p.color[0].load = p.depth_stencil.load = p.stencil_load = pipe::LoadOp::Clear;
        std::copy_n(rgba.data(), 4, p.clear_color[0].f);
        p.clear_depth = rgba[0];
        p.clear_stencil = 77;
        c.begin_render_pass(p);
        c.end_render_pass();
    }
    /// Draws to a part, with a clear in a pass that loads.
    void rectangle_in(pipe::Context& c, pipe::Resource& r, const Box& box, const std::array<float, 4>& rgba) {
        pipe::RenderPassDesc p = pass_of(r);
        p.color[0].load = p.depth_stencil.load = p.stencil_load = pipe::LoadOp::Load;
        c.begin_render_pass(p);
        pipe::ClearInfo clear;
        clear.attachments = p.color_count ? pipe::attachment_bit::kColor0 : pipe::attachment_bit::kDepth;
        if (pipe::format_info(r.desc.format).has_stencil) clear.attachments |= pipe::attachment_bit::kStencil;
        std::copy_n(rgba.data(), 4, clear.color[0].f);
        clear.depth = rgba[2];
        clear.stencil = 13;
        clear.scissored = true;
        clear.scissor = {box.x, box.y, box.x + box.width, box.y + box.height};
        c.clear(clear);
        c.end_render_pass();
    }
    Bytes read(pipe::Context& c, pipe::Resource& r, uint32_t level = 0) {
        const pipe::LevelLayout& l = mali::mali(r).layout.level[level];
        const auto w = int32_t(l.width), h = int32_t(l.height);
        const pipe::Mapping m = c.map(r, level, {0, 0, 0, w, h, 1}, flag::kRead);
        REQUIRE(m.data);
        const auto row_B = size_t(pipe::format_row_B(r.desc.format, l.width));
        Bytes out(row_B * l.height);
        for (size_t y = 0; y < l.height; ++y)
            std::memcpy(&out[y * row_B], static_cast<uint8_t*>(m.data) + y * m.row_stride_B, row_B);
        c.unmap(r, m);
        return out;
    }
    void take(const Bytes& more) { all.insert(all.end(), more.begin(), more.end()); }
    void take(pipe::Resource& r, uint32_t level = 0) {
        Bytes bytes = read(*context, r, level);
        // The byte next to the depth has no defined value.
        for (size_t i = 3; r.desc.format == Format::D24_UNORM_X8 && i < bytes.size(); i += 4)
            bytes[i] = 0;
        take(bytes);
    }
    /// Writes rows that all differ.
    void write(pipe::Context& c, pipe::Resource& r, const Box& box, uint32_t flags = flag::kDiscardRange) {
        const pipe::Mapping m = c.map(r, 0, box, flag::kWrite | flags);
        REQUIRE(m.data);
        for (int32_t y = 0; y < box.height; ++y)
            std::memset(static_cast<uint8_t*>(m.data) + uint64_t(y) * m.row_stride_B, 0x11 * (y + 1),
                        size_t(pipe::format_row_B(r.desc.format, uint32_t(box.width))));
        c.unmap(r, m);
    }
    pipe::Ref<pipe::Resource> target(Format f, int32_t w, int32_t h) {
        return image(f, w, h, bind::kSampled);
    }

    const bool is_plain;
    Bytes all;
};

Bytes copies_from(Format f, Compression c) {
    Access s(c);
    const auto src = s.drawn(f, 100, 70);
    const auto whole = s.target(f, 100, 70), part = s.target(f, 61, 33),
               linear = s.image(f, 40, 40, bind::kSampled | bind::kLinear);
    s.context->copy_region(*whole, 0, 0, 0, 0, *src, 0, {0, 0, 0, 100, 70, 1});
    s.context->copy_region(*part, 0, 3, 5, 0, *src, 0, {17, 9, 0, 50, 28, 1});
    s.context->copy_region(*linear, 0, 1, 2, 0, *src, 0, {61, 37, 0, 39, 33, 1});
    // Render targets are compressed at once.
    const auto like = s.image(f, 100, 70, src->desc.bind);
    s.context->copy_region(*like, 0, 20, 1, 0, *src, 0, {17, 9, 0, 50, 28, 1});
    CHECK(compressed(like) == !s.is_plain);
    s.context->copy_region(*like, 0, 0, 40, 0, *src, 0, {0, 0, 0, 100, 30, 1});
    // Later writes do not change the copies.
    s.draw_into(*s.context, *src, {1, 1, 1, 1});
    for (const auto& r : {whole, part, linear, like, src})
        s.take(*r);
    CHECK(compressed(src) == !s.is_plain);
    CHECK(compressed(like) == !s.is_plain);
    CHECK(!compressed(whole));
    CHECK(s.messages == "");
    return s.all;
}

Bytes copies_into(Format f, Compression c) {
    Access s(c);
    const auto dst = s.drawn(f, 100, 70), src = s.drawn(f, 66, 90);
    const auto filled = s.target(f, 40, 40);
    s.write(*s.context, *filled, {0, 0, 0, 40, 14, 1});
    s.context->copy_region(*dst, 0, 7, 3, 0, *src, 0, {10, 11, 0, 50, 30, 1});
    s.context->copy_region(*dst, 0, 60, 33, 0, *filled, 0, {0, 0, 0, 40, 37, 1});
    // Bits of another format with the same size.
    const Format other = pipe::format_info(f).block_B == 1   ? Format::A8_UNORM
                         : pipe::format_info(f).block_B == 2 ? Format::R16_UINT
                                                             : Format::R32_UINT;
    const auto bits = s.target(other, 30, 20);
    s.write(*s.context, *bits, {0, 0, 0, 30, 14, 1});
    s.context->copy_region(*dst, 0, 0, 50, 0, *bits, 0, {2, 0, 0, 28, 20, 1});
    // Within one image, overlapping.
    s.context->copy_region(*dst, 0, 20, 20, 0, *dst, 0, {12, 14, 0, 40, 31, 1});
    s.rectangle_in(*s.context, *dst, {90, 0, 0, 10, 70, 1}, {0.3f, 0.6f, 0.1f, 0.5f});
    s.take(*dst);
    s.take(*src);
    CHECK(compressed(dst) == !s.is_plain);
    CHECK(compressed(src) == !s.is_plain);
    CHECK(s.messages == "");
    return s.all;
}

Bytes mipmaps(Format f, Compression c) {
    Access s(c);
    const auto image = s.drawn(f, 128, 64, 8);
    for (unsigned frame = 0; frame < 3; ++frame) {
        s.rectangle_in(*s.context, *image, {int32_t(frame) * 31, 10, 0, 29, 41, 1},
                       {float(frame) / 2, 0.7f, 0.2f, 1});
        const pipe::MipmapInfo info{.resource = image.get(), .format = f, .last_level = 7};
        CHECK(pipe::generate_mipmap(*s.context, info) == pipe::BlitStatus::Ok);
        CHECK(compressed(image) == !s.is_plain);
    }
    for (uint32_t level = 0; level < 8; ++level)
        s.take(*image, level);
    CHECK(s.messages == "");
    return s.all;
}

Bytes conversions(Compression c) {
    Access s(c);
    constexpr Format kOf[] = {Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM, Format::R10G10B10A2_UNORM};
    for (const Format from : kOf)
        for (const Format to : kOf) {
            if (from == to) continue;
            const auto src = s.drawn(from, 60, 40), dst = s.drawn(to, 60, 40), plain = s.target(to, 60, 40);
            pipe::BlitInfo info;
            info.src = {src.get(), from, 0, {3, 2, 0, 50, 30, 1}};
            info.dst = {plain.get(), to, 0, {1, 5, 0, 50, 30, 1}};
            for (const auto& r : {plain, dst}) {
                info.dst.resource = r.get();
                CHECK(pipe::blit(*s.context, info) == pipe::BlitStatus::Ok);
                s.take(*r);
            }
            CHECK(compressed(src) == !s.is_plain);
            CHECK(compressed(dst) == !s.is_plain);
        }
    CHECK(s.messages == "");
    return s.all;
}

/// Two contexts. The second uses an image while the first has recorded draws to it (or, with `open`, has an
/// open pass).
template <class Does>
Bytes shared(Compression c, bool open, Does&& does) {
    Access s(c);
    const auto second = s.screen->create_context({.robust = true, .log = s.log()});
    REQUIRE(second);
    const auto image = s.drawn(Format::R8G8B8A8_UNORM, 100, 70);
    s.context->flush();
    s.rectangle_in(*s.context, *image, {0, 0, 0, 20, 70, 1}, {0, 1, 0, 1});
    s.rectangle_in(*s.context, *s.color, {0, 0, 0, 2, 2, 1}, {});  // the job of that pass exists now
    if (open) {
        pipe::RenderPassDesc p = s.pass_of(*image);
        p.color[0].load = pipe::LoadOp::Load;
        s.context->begin_render_pass(p);
        s.rectangle(4, 4, 9, 9, 0.5f, {1, 0, 1, 1});
    }
    does(s, *second, image);
    if (open) {
        s.rectangle(4, 40, 9, 50, 0.5f, {1, 0, 1, 1});
        s.context->end_render_pass();
    }
    s.context->flush();
    second->flush();
    s.take(s.read(*second, *image));
    s.take(s.read(*s.context, *image));
    CHECK(s.messages == "");
    return s.all;
}

template <class Does>
void check_shared(Does&& does) {
    for (const bool open : {false, true}) {
        CAPTURE(open);
        CHECK(shared({}, open, does) == shared(kPlain, open, does));
    }
}

}  // namespace

TEST_CASE("compressed access: copies read AFBC directly") {
    for (const Format f : kColors) {
        CAPTURE(std::string(pipe::format_name(f)));
        CHECK(copies_from(f, {}) == copies_from(f, kPlain));
    }
    for (const Format f : kDepths) {
        CAPTURE(std::string(pipe::format_name(f)));
        CHECK(copies_from(f, {}) == copies_from(f, kPlain));
    }
}

TEST_CASE("compressed access: copies write AFBC directly") {
    for (const Format f : kColors) {
        CAPTURE(std::string(pipe::format_name(f)));
        CHECK(copies_into(f, {}) == copies_into(f, kPlain));
    }
    for (const Format f : kDepths) {
        CAPTURE(std::string(pipe::format_name(f)));
        CHECK(copies_into(f, {}) == copies_into(f, kPlain));
    }
}

TEST_CASE("compressed access: mipmaps of a render target, in each frame") {
    for (const Format f : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R8G8_UNORM,
                           Format::B5G6R5_UNORM, Format::R10G10B10A2_UNORM}) {
        CAPTURE(std::string(pipe::format_name(f)));
        CHECK(mipmaps(f, {}) == mipmaps(f, kPlain));
    }
}

TEST_CASE("compressed access: conversions") {
    CHECK(conversions({}) == conversions(kPlain));
}

TEST_CASE("compressed access: reads of a part, or rare reads of the whole, keep the image compressed") {
    Access s({});
    const auto image = s.drawn(Format::R8G8B8A8_UNORM, 100, 70);
    for (unsigned i = 0; i < 10; ++i) {
        const pipe::Mapping m = s.context->map(*image, 0, {int32_t(i) * 9, 50, 0, 1, 1, 1}, flag::kRead);
        REQUIRE(m.data);
        uint32_t pixel;
        std::memcpy(&pixel, m.data, 4);
        s.context->unmap(*image, m);
        CHECK(pixel == (i >= 3 && i < 9 ? 0x59ed911cu : 0xcc996633u));
    }
    CHECK(compressed(image));
    for (unsigned i = 0; i < 5; ++i) {
        (void)s.read(*s.context, *image);
        for (int32_t n = 0; n < 20; ++n) {
            s.draw_into(*s.context, *s.color, {float(n) / 20, 0, 0, 0});
            s.rectangle_in(*s.context, *s.color, {n, 0, 0, 5, 5, 1}, {});
        }
    }
    CHECK(compressed(image));
    for (unsigned i = 0; i < 3; ++i)
        (void)s.read(*s.context, *image);
    CHECK(!compressed(image));
    CHECK(s.messages == "");
}

TEST_CASE("compressed access: another context writes while draws are recorded") {
    check_shared([](Access& s, pipe::Context& second, const pipe::Ref<pipe::Resource>& image) {
        const bool was = compressed(image);
        s.write(second, *image, {30, 20, 0, 31, 14, 1});
        s.write(second, *image, {70, 1, 0, 3, 14, 1}, 0);
        CHECK(compressed(image) == was);
    });
}

TEST_CASE("compressed access: another context reads and copies while draws are recorded") {
    check_shared([](Access& s, pipe::Context& second, const pipe::Ref<pipe::Resource>& image) {
        const auto copy = s.target(Format::R8G8B8A8_UNORM, 50, 60);
        second.copy_region(*copy, 0, 0, 0, 0, *image, 0, {50, 10, 0, 50, 60, 1});
        for (unsigned i = 0; i < 4; ++i)
            (void)s.read(second, *image);
        s.take(s.read(second, *copy));
        CHECK(compressed(image) == !s.is_plain);
    });
}

TEST_CASE("compressed access: another context copies into it while draws are recorded") {
    check_shared([](Access& s, pipe::Context& second, const pipe::Ref<pipe::Resource>& image) {
        const auto copy = s.target(Format::R8G8B8A8_UNORM, 50, 60);
        s.write(second, *copy, {0, 0, 0, 50, 14, 1});
        second.copy_region(*image, 0, 40, 3, 0, *copy, 0, {5, 0, 0, 44, 60, 1});
        CHECK(compressed(image) == !s.is_plain);
    });
}

TEST_CASE("compressed access: another context's pass over a part loses nothing") {
    // A pass that is smaller than the level would need the plain form, which is not possible at that time.
    Access s({});
    const auto second = s.screen->create_context({.log = s.log()});
    const auto image = s.drawn(Format::R8G8B8A8_UNORM, 100, 70);
    pipe::RenderPassDesc p = s.pass_of(*image);
    p.width = 40;
    CHECK_THROWS_AS(second->begin_render_pass(p), std::bad_alloc);
    s.context->flush();
    second->begin_render_pass(p);
    second->end_render_pass();
    CHECK(!compressed(image));
}

}  // namespace terrazzo::test
