// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ: which draws may use it; and scenes with and without it, which must have the same pixels and counts.
#include <random>

#include "drivers/adreno/context.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
namespace hw = adreno::hw;
using adreno::LrzDraw;
using adreno::LrzTracker;
using adreno::LrzUse;
using pipe::Compare;

namespace {

constexpr LrzDraw kOpaque{.depth_test = true, .depth_write = true};
constexpr LrzUse kNone{}, kTests{true, false, false}, kWrites{true, true, false};

LrzDraw with(auto&& change, LrzDraw d = kOpaque) {
    change(d);
    return d;
}

}  // namespace

TEST_CASE("lrz: it is off before the depths are known, and after they are lost") {
    LrzTracker t;
    CHECK(t.add(kOpaque) == kNone);
    t.begin();
    CHECK(t.add(kOpaque) == kWrites);
    t.end();
    CHECK(t.add(kOpaque) == kNone);
    t.begin();
    CHECK(t.add(kOpaque) == kWrites);
}

TEST_CASE("lrz: directions of the depth test") {
    const auto compare = [](Compare c, bool write = true) {
        return with([&](LrzDraw& d) { d.compare = c, d.depth_write = write; });
    };
    LrzTracker t;
    t.begin();
    CHECK(t.add(compare(Compare::Greater, false)) == LrzUse{true, false, true});
    CHECK(t.add(compare(Compare::GreaterEqual)) == LrzUse{true, true, true});
    CHECK(t.add(compare(Compare::LessEqual, false)) == kNone);  // does not change depths
    CHECK(t.add(compare(Compare::Greater)) == LrzUse{true, true, true});
    CHECK(t.add(compare(Compare::Less)) == kNone);
    CHECK(t.add(compare(Compare::Greater)) == kNone);
    t.begin();
    CHECK(t.add(compare(Compare::Less)) == kWrites);
    CHECK(t.add(compare(Compare::Always, false)) == kNone);
    CHECK(t.add(compare(Compare::Equal)) == kNone);
    CHECK(t.add(compare(Compare::Never)) == kNone);
    CHECK(t.add(compare(Compare::Less)) == kWrites);
    CHECK(t.add(compare(Compare::Always)) == kNone);
    CHECK(t.add(compare(Compare::Less)) == kNone);
}

TEST_CASE(
    "lrz: a draw that keeps parts of the colours below is not written, nor are the draws that it hides") {
    LrzTracker t;
    t.begin();
    CHECK(t.add(kOpaque) == kWrites);
    CHECK(t.add(with([](LrzDraw& d) { d.covers_colors = false, d.depth_write = false; })) == kTests);
    CHECK(t.add(kOpaque) == kWrites);
    CHECK(t.add(with([](LrzDraw& d) { d.covers_colors = false; })) == kTests);
    CHECK(t.add(kOpaque) == kTests);
}

TEST_CASE("lrz: draws with depths only, before and after draws with colours") {
    const LrzDraw depths = with([](LrzDraw& d) { d.covers_colors = d.writes_colors = false; });
    LrzTracker t;
    t.begin();
    CHECK(t.add(depths) == kWrites);
    CHECK(t.add(depths) == kWrites);
    CHECK(t.add(kOpaque) == kWrites);
    CHECK(t.add(depths) == kTests);
    CHECK(t.add(kOpaque) == kTests);
}

TEST_CASE("lrz: discarded fragments, depths from the shader, side effects") {
    LrzTracker t;
    t.begin();
    CHECK(t.add(with([](LrzDraw& d) { d.may_leave_out = true; })) == kTests);
    CHECK(t.add(with([](LrzDraw& d) { d.own_depth = true; })) == kNone);
    CHECK(t.add(kOpaque) == kWrites);
    CHECK(t.add(with([](LrzDraw& d) { d.has_effects = true, d.depth_test = false; })) == kNone);
    CHECK(t.add(kOpaque) == kWrites);
    CHECK(t.add(with([](LrzDraw& d) { d.has_effects = true; })) == kNone);
    CHECK(t.add(kOpaque) == kTests);
}

namespace {

// More than one tile of the chip with the least GMEM.
constexpr int32_t kW_px = 520, kH_px = 300;

struct Result {
    std::vector<uint32_t> pixels;
    std::vector<uint64_t> counts;
    bool wrote_lrz = false;
    unsigned continued = 0;  // number of passes
    /// Called after a pass.
    void note(const DriverScene& s) {
        const adreno::Pass& pass = static_cast<const adreno::AdrenoContext&>(*s.context).pass();
        wrote_lrz |= pass.writes_lrz();
        continued += pass.continued_lrz();
    }
    bool operator==(const Result& o) const { return pixels == o.pixels && counts == o.counts; }
};

template <class F>
Result draw_with(std::initializer_list<pipe::DebugWord> words, F&& draw,
                 const char* device = "sim:adreno-618") {
    SceneOptions options;
    for (const pipe::DebugWord w : words)
        options.debug.set(w);
    DriverScene s = open_scene(kW_px, kH_px, options, device);
    Result r;
    draw(s, &r);
    s.context->end_render_pass();
    const uint32_t samples = s.color->desc.samples;
    const pipe::Mapping m = s.context->map(*s.color, 0, {0, 0, 0, kW_px, kH_px, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    r.pixels.resize(size_t(kW_px) * kH_px * samples);
    for (size_t y = 0; y < size_t(kH_px); ++y)
        std::memcpy(&r.pixels[y * kW_px * samples], static_cast<uint8_t*>(m.data) + y * m.row_stride_B,
                    size_t(kW_px) * samples * 4);
    s.context->unmap(*s.color, m);
    r.note(s);
    CHECK(s.messages == "");
    return r;
}

const char* const kDiscards =
    "precision highp float; varying vec4 v_color;\n"
    "void main() { if (mod(gl_FragCoord.x, 3.0) < 1.0) discard; gl_FragColor = v_color; }\n";
const char* const kOwnDepth =
    "#extension GL_EXT_frag_depth : require\n"
    "precision highp float; varying vec4 v_color;\n"
    "void main() { gl_FragColor = v_color; gl_FragDepthEXT = gl_FragCoord.z * 0.5 + 0.3; }\n";

/// Draws with all kinds of state, in random order.
class RandomDraws {
  public:
    explicit RandomDraws(unsigned seed, uint32_t samples = 1) : samples_(samples), random_(seed) {}
    void operator()(DriverScene& s, Result* r) {
        const auto discards = s.link(kVertexText, kDiscards), own_depth = s.link(kVertexText, kOwnDepth);
        std::vector<pipe::Ref<pipe::Query>> queries;
        s.color = image(s, pipe::Format::R8G8B8A8_UNORM, pipe::bind::kColor | pipe::bind::kSampled);
        s.depth = image(s, pipe::Format::D24_UNORM_S8_UINT, pipe::bind::kDepthStencil);
        s.pass.color[0].resource = s.color.get();
        s.pass.depth_stencil.resource = s.depth.get();
        s.pass.color[0].samples = s.pass.depth_stencil.samples = samples_;
        const auto other = image(s, pipe::Format::R8G8B8A8_UNORM, pipe::bind::kColor);
        s.begin(0, 0, 0, 1);
        for (unsigned i = 0; i < 40; ++i) {
            if (chance(20)) clear(s);
            if (chance(12)) interrupt(s, *other, r);
            if (chance(3)) state(s);
            const bool shader = chance(6);
            if (shader) s.context->bind_program(chance(2) ? discards.get() : own_depth.get());
            const bool counted = chance(12);
            if (counted) {
                queries.push_back(s.context->create_query(pipe::QueryKind::Samples));
                s.context->begin_query(*queries.back());
            }
            shape(s);
            if (counted) s.context->end_query(*queries.back());
            if (shader) s.context->bind_program(s.program.get());
        }
        s.context->end_render_pass();
        for (auto& q : queries) {
            r->counts.push_back(0);
            CHECK(s.context->query_result(*q, true, &r->counts.back()));
        }
        s.depth_stencil({});
    }

  private:
    pipe::Ref<pipe::Resource> image(DriverScene& s, pipe::Format f, uint32_t bind) const {
        pipe::ResourceDesc d;
        d.format = f;
        d.width = kW_px;
        d.height = kH_px;
        d.samples = samples_;
        d.bind = bind;
        auto r = s.screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }
    bool chance(uint32_t one_in) { return below(one_in) == 0; }
    float number(float low, float high) {
        return low + (high - low) * float(below(1 << 16)) / float(1 << 16);
    }
    void clear(DriverScene& s) {
        pipe::ClearInfo c;
        using namespace pipe::attachment_bit;
        c.attachments = chance(2) ? kDepth : chance(2) ? kColor0 : kDepth | kStencil | kColor0;
        c.color[0] = {.f = {0, 0, number(0, 1), 1}};
        c.depth = chance(2) ? 1 : number(0, 1);
        c.scissored = chance(2);
        c.scissor = {int32_t(below(200)), int32_t(below(200)), 200 + int32_t(below(320)),
                     200 + int32_t(below(100))};
        s.context->clear(c);
    }
    /// The pass ends, and another one continues with its result. Sometimes other work writes depths in
    /// between.
    void interrupt(DriverScene& s, pipe::Resource& other, Result* r) {
        s.context->end_render_pass();
        r->note(s);
        if (chance(3)) s.context->flush();
        if (chance(3)) {
            pipe::RenderPassDesc pass = s.pass;
            pass.color[0].resource = &other;
            pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Load;
            s.context->begin_render_pass(pass);
            shape(s);
            s.context->end_render_pass();
            r->note(s);
        }
        if (chance(4)) {
            const pipe::Box box{int32_t(below(300)), int32_t(below(200)), 0, 200, 90, 1};
            const pipe::Mapping m =
                s.context->map(*s.depth, 0, box, pipe::map_flag::kRead | pipe::map_flag::kWrite);
            REQUIRE(m.data);
            const std::vector<float> depths(200 * samples_, number(0, 1));
            for (int32_t y = 0; y < box.height; ++y)
                pipe::pack_depth_f32(s.depth->desc.format,
                                     static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B,
                                     depths.data(), depths.size());
            s.context->unmap(*s.depth, m);
        }
        s.resume();
    }
    void state(DriverScene& s) {
        constexpr Compare kLikely[] = {Compare::Less, Compare::Less, Compare::LessEqual, Compare::Less};
        pipe::DepthStencilDesc d{.depth_test = !chance(8), .depth_write = !chance(4)};
        d.depth_compare = chance(6) ? Compare(below(8)) : kLikely[below(4)];
        if (chance(6)) {
            d.stencil_test = true;
            d.front = {.compare = chance(2) ? Compare::Always : Compare::LessEqual,
                       .depth_fail = chance(2) ? pipe::StencilOp::IncrWrap : pipe::StencilOp::Keep,
                       .pass = chance(2) ? pipe::StencilOp::Replace : pipe::StencilOp::Keep};
            d.back = d.front;
        }
        s.depth_stencil(d);
        const uint8_t ref = uint8_t(below(3));
        s.context->set_stencil_ref(ref, ref);
        pipe::BlendDesc b;
        if (chance(5))
            for (auto& t : b.targets)
                t = {.enable = true,
                     .src_rgb = pipe::BlendFactor::One,
                     .dst_rgb = pipe::BlendFactor::One,
                     .src_alpha = pipe::BlendFactor::One,
                     .dst_alpha = pipe::BlendFactor::Zero};
        if (chance(8))
            for (auto& t : b.targets)
                t.write_mask = uint8_t(below(16));
        if (samples_ > 1 && chance(8)) b.alpha_to_coverage = true;
        s.blend(b);
        if (samples_ > 1) s.context->set_sample_mask(1, false, chance(6) ? below(16) : ~0u);
    }
    void shape(DriverScene& s) {
        const float x = number(-50, 500), y = number(-50, 280),
                    w = chance(2) ? number(1, 60) : number(50, 500),
                    h = chance(2) ? number(1, 60) : number(50, 300);
        std::vector<Vertex> v;
        const std::array<float, 4> color{number(0, 1), number(0, 1), number(0, 1), 1};
        const float z = number(0, 1), slope = chance(2) ? 0 : number(-0.3f, 0.3f);
        for (const auto& [dx, dy] :
             {std::pair(0.f, 0.f), std::pair(1.f, 0.f), std::pair(0.f, 1.f), std::pair(1.f, 1.f)}) {
            v.push_back(s.at(x + dx * w, y + dy * h, std::clamp(z + slope * (dx + dy), 0.f, 1.f)));
            std::copy_n(color.data(), 4, v.back().color);
        }
        s.draw(pipe::Primitive::TriangleStrip, v);
    }
    const uint32_t samples_;
    std::mt19937 random_;
};

}  // namespace

TEST_CASE("lrz: random draws give the same pixels with and without it, on each render path") {
    using enum pipe::DebugWord;
    unsigned wrote[3] = {}, continued[3] = {};  // with one sample, with several, with fast clears
    for (unsigned seed = 1; seed <= 48; ++seed) {
        CAPTURE(seed);
        // The a650 has fast clears.
        const char* const device = seed > 36 ? "sim:adreno-650" : "sim:adreno-618";
        const RandomDraws draws(seed, seed <= 24 || seed > 40 ? 1 : seed % 2 ? 2 : 4);
        const Result want = draw_with({Sysmem, NoLrz}, RandomDraws(draws), device);
        const Result sysmem = draw_with({Sysmem}, RandomDraws(draws), device),
                     binned = draw_with({Gmem}, RandomDraws(draws), device);
        CHECK((sysmem == want));
        CHECK((binned == want));
        CHECK((draw_with({Gmem, NoBin}, RandomDraws(draws), device) == want));
        const unsigned kind = seed > 36 ? 2 : seed > 24;
        wrote[kind] += sysmem.wrote_lrz + binned.wrote_lrz;
        continued[kind] += sysmem.continued + binned.continued;
    }
    CHECK(wrote[0] >= 30);
    CHECK(continued[0] >= 30);
    CHECK(wrote[1] >= 8);
    CHECK(continued[1] >= 15);
    CHECK(wrote[2] >= 12);
    CHECK(continued[2] >= 15);
}

namespace {

const adreno::Pass& pass_of(const DriverScene& s) {
    return static_cast<const adreno::AdrenoContext&>(*s.context).pass();
}

/// Near and far, each in its own pass, with `between` called between them. Returns whether the second pass
/// could use the first one's LRZ.
template <class F>
bool continues(pipe::DebugWord mode, F&& between) {
    SceneOptions options;
    options.debug.set(mode);
    DriverScene s = open_scene(kW_px, kH_px, options, "sim:adreno-618");
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW_px, kH_px, 0.25f, {1, 0, 0, 1});
    CHECK(!pass_of(s).continued_lrz());
    between(s);
    s.rectangle(0, 0, kW_px, kH_px, 0.5f, {0, 1, 0, 1});
    s.rectangle(0, 0, 30, 30, 0.125f, {0, 0, 1, 1});
    const auto pixels = s.pixels();
    CHECK(pixels[0] == 0xffff0000);
    CHECK(pixels[40] == 0xff0000ff);
    CHECK(s.messages == "");
    return pass_of(s).continued_lrz();
}

}  // namespace

TEST_CASE("lrz: the next pass that keeps the depths uses it, unless other work wrote them") {
    const pipe::DebugWord mode = either_mode();
    const auto next = [](DriverScene& s) {
        s.context->end_render_pass();
        s.resume();
    };
    CHECK(continues(mode, next));
    CHECK(continues(mode, [](DriverScene& s) { s.context->flush(); }));
    // Other images; and so many that the tracker no longer knows this one.
    const auto draw_others = [](DriverScene& s, int count) {
        s.context->end_render_pass();
        for (int i = 0; i < count; ++i) {
            const auto depth =
                s.image(pipe::Format::D24_UNORM_S8_UINT, kW_px, kH_px, pipe::bind::kDepthStencil);
            pipe::RenderPassDesc pass = s.pass;
            pass.color[0].resource = nullptr;
            pass.color_count = 0;
            pass.depth_stencil.resource = depth.get();
            pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Clear;
            s.context->begin_render_pass(pass);
            s.rectangle(0, 0, kW_px, kH_px, 0.125f, {1, 1, 1, 1});
            s.context->end_render_pass();
        }
        s.resume();
    };
    CHECK(continues(mode, [&](DriverScene& s) { draw_others(s, 3); }));
    CHECK(!continues(mode, [&](DriverScene& s) { draw_others(s, 4); }));
    // A pass with another size, and writes by the CPU or a blit.
    CHECK(!continues(mode, [](DriverScene& s) {
        s.context->end_render_pass();
        pipe::RenderPassDesc pass = s.pass;
        pass.width = kW_px - 8;
        pass.color[0].load = pass.depth_stencil.load = pass.stencil_load = pipe::LoadOp::Load;
        s.context->begin_render_pass(pass);
        s.rectangle(0, 0, 1, 1, 0.9f, {0, 0, 0, 1});
        s.context->end_render_pass();
        s.resume();
    }));
    CHECK(!continues(mode, [](DriverScene& s) {
        s.context->end_render_pass();
        const pipe::Mapping m =
            s.context->map(*s.depth, 0, {500, 0, 0, 1, 1, 1}, pipe::map_flag::kRead | pipe::map_flag::kWrite);
        REQUIRE(m.data);
        s.context->unmap(*s.depth, m);
        s.resume();
    }));
    CHECK(!continues(mode, [](DriverScene& s) {
        s.context->end_render_pass();
        const auto from = s.image(s.depth->desc.format, 8, 8, pipe::bind::kDepthStencil);
        s.context->copy_region(*s.depth, 0, 400, 0, 0, *from, 0, {0, 0, 0, 8, 8, 1});
        s.resume();
    }));
    // Depths that are not stored, and depths that moved in both directions.
    CHECK(!continues(mode, [&](DriverScene& s) {
        s.context->end_render_pass();
        s.begin(0, 0, 0, 1);
        s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = Compare::Greater});
        s.raster({.scissor = true});
        s.context->set_scissor({510, 290, 511, 291});
        s.rectangle(0, 0, kW_px, kH_px, 0.5f, {1, 0, 0, 1});
        s.depth_stencil({.depth_test = true, .depth_write = true});
        s.raster({});
        s.rectangle(0, 0, kW_px, kH_px, 0.25f, {1, 0, 0, 1});
        next(s);
    }));
    // A clear begins again, with the previous pass' content.
    CHECK(continues(mode, [&](DriverScene& s) {
        next(s);
        pipe::ClearInfo c;
        c.attachments = pipe::attachment_bit::kDepth;
        s.context->clear(c);
        s.rectangle(0, 0, kW_px, kH_px, 0.25f, {1, 0, 0, 1});
        next(s);
    }));
}

TEST_CASE("lrz: it is not kept if depths were not stored") {
    DriverScene s = open_scene(kW_px, kH_px, pipe::DebugWord::Gmem, "sim:adreno-618");
    s.depth_stencil({.depth_test = true, .depth_write = true});
    for (const bool discards : {false, true}) {
        s.pass.depth_stencil.store = s.pass.stencil_store =
            discards ? pipe::StoreOp::Store : pipe::StoreOp::DontCare;
        s.begin(0, 0, 0, 1);
        s.rectangle(0, 0, kW_px, kH_px, 0.25f, {1, 0, 0, 1});
        if (discards) s.context->discard_attachments(pipe::attachment_bit::kDepth);
        s.context->end_render_pass();
        s.resume();
        s.rectangle(0, 0, 8, 8, 0.1f, {0, 1, 0, 1});
        s.context->end_render_pass();
        CHECK(!pass_of(s).continued_lrz());
    }
    CHECK(s.messages == "");
}

TEST_CASE("lrz: buffers, and the depths of fast clears") {
    const hw::Chip &old = *hw::find_chip("adreno-630"), &fast = *hw::find_chip("adreno-650");
    for (const auto& [samples, pitch, rows] :
         {std::tuple(1u, 256u, 160u), {2u, 256u, 288u}, {4u, 480u, 288u}}) {
        CAPTURE(samples);
        const adreno::LrzLayout l = adreno::lrz_layout(fast, 1920, 1080, samples);
        CHECK(l.pitch == pitch);
        CHECK(l.rows == rows);
        CHECK(l.clears_fast(0));
        CHECK(l.clears_fast(1));
        CHECK(!l.clears_fast(0.5f));
        CHECK(l.size_B() >= 2 * pitch * rows + 512);
        CHECK(!adreno::lrz_layout(old, 1920, 1080, samples).clears_fast(1));
    }
    // 4096 groups of blocks, and more.
    CHECK(adreno::lrz_layout(fast, 4096, 4096, 1).clears_fast(1));
    CHECK(!adreno::lrz_layout(fast, 4096, 4096, 2).clears_fast(1));
}
