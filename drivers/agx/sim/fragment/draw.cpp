// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/fragment/draw.h"

namespace terrazzo::agx::sim {

namespace {

using pipe::raster::PixelRect;

constexpr int32_t kTile_px = 32;

/// Both functions of a pair must pass: their numbers are sets of {less, equal, greater}.
pipe::Compare both_of(hw::ZsFunc a, hw::ZsFunc b) {
    static_assert(unsigned(hw::ZsFunc::Less) == 1 && unsigned(hw::ZsFunc::Equal) == 2 &&
                  unsigned(hw::ZsFunc::Greater) == 4 && unsigned(hw::ZsFunc::Always) == 7 &&
                  unsigned(pipe::Compare::Less) == 1 && unsigned(pipe::Compare::Equal) == 2 &&
                  unsigned(pipe::Compare::Greater) == 4 && unsigned(pipe::Compare::Always) == 7);
    return pipe::Compare(unsigned(a) & unsigned(b));
}

pipe::StencilFaceDesc stencil_of(const hw::FragmentStencil& s) {
    static_assert(unsigned(hw::StencilOp::DecrSat) == unsigned(pipe::StencilOp::DecrClamp) &&
                  unsigned(hw::StencilOp::DecrWrap) == unsigned(pipe::StencilOp::DecrWrap));
    const auto op = [](hw::StencilOp of) { return pipe::StencilOp(of); };
    pipe::StencilFaceDesc out;
    out.compare = both_of(s.compare, hw::ZsFunc::Always);
    out.fail = op(s.stencil_fail);
    out.depth_fail = op(s.depth_fail);
    out.pass = op(s.depth_pass);
    out.read_mask = uint8_t(s.read_mask);
    out.write_mask = uint8_t(s.write_mask);
    return out;
}

/// Decodes one draw.
class Decoder {
  public:
    Decoder(const RenderCommand& command, const RenderState& render, const BinnedDraw& binned, Core& core,
            Window& memory, FragmentDraw* out, Fault* fault)
        : command_(command),
          render_(render),
          binned_(binned),
          ppp_(binned.ppp),
          core_(core),
          memory_(memory),
          out_(*out),
          fault_(fault) {}
    bool run() {
        out_.number = binned_.number;
        return has_parts() && find_scissors() && find_bias() && find_tests() && find_samples() &&
               find_program();
    }

  private:
    template <class... Part>
    bool refuse_draw(const Part&... part) {
        return fail(fault_, Exception::BadCommand, "draw ", binned_.number, ": ", part...);
    }
    bool read(uint64_t va, void* to, uint64_t size_B, const char* what) {
        return memory_.read(va, to, size_B) || fail_access(fault_, memory_, what);
    }
    bool has_parts() {
        const hw::PppHeader& h = ppp_.header;
        const struct {
            bool is_set;
            const char* name;
        } parts[] = {{h.fragment_control, "fragment_control"},
                     {h.fragment_control_2, "fragment_control_2"},
                     {h.front_face, "front_face"},
                     {h.front_face_2, "front_face_2"},
                     {h.front_stencil, "front_stencil"},
                     {h.back_face, "back_face"},
                     {h.back_face_2, "back_face_2"},
                     {h.back_stencil, "back_stencil"},
                     {h.output_select, "output_select"},
                     {h.fragment_shader, "fragment_shader"},
                     {!scissors() && !biases() ? true : h.depth_bias_scissor, "depth_bias_scissor"},
                     {!counting() || h.occlusion_query, "occlusion_query"}};
        for (const auto& part : parts)
            if (!part.is_set) return refuse_draw("PPP state has no ", part.name);
        return true;
    }
    // Pairs of words: what either of them says holds.
    bool scissors() const {
        return ppp_.fragment_control.scissor_enable || ppp_.fragment_control_2.scissor_enable;
    }
    bool biases() const {
        return ppp_.fragment_control.depth_bias_enable || ppp_.fragment_control_2.depth_bias_enable;
    }
    hw::VisibilityMode visibility() const {
        return hw::VisibilityMode(unsigned(ppp_.fragment_control.visibility_mode) |
                                  unsigned(ppp_.fragment_control_2.visibility_mode));
    }
    bool counting() const { return visibility() != hw::VisibilityMode::None; }

    bool find_scissors() {
        const unsigned views = ppp_.header.viewport ? ppp_.header.viewport_count : 1;
        out_.scissor.assign(views, render_.area);
        low_ = 0, high_ = 1;
        for (unsigned n = 0; n < views; ++n) {
            PixelRect& r = out_.scissor[n];
            if (scissors()) {
                uint32_t words[hw::Scissor::kSize_dw];
                const uint64_t va = command_.isp_scissor_base +
                                    uint64_t(ppp_.depth_bias_scissor.scissor + n) * hw::Scissor::kSize_B;
                if (!read(va, words, sizeof words, "scissors")) return false;
                hw::Scissor s;
                if (!unpack(words, &s)) return refuse_draw("a scissor has bits without a meaning");
                r = intersect(r, {int32_t(s.min_x), int32_t(s.min_y), int32_t(s.max_x), int32_t(s.max_y)});
                if (n == 0) low_ = std::min(s.min_z, s.max_z), high_ = std::max(s.min_z, s.max_z);
            }
            const hw::RegionClip& clip = ppp_.region_clip[n];
            if (ppp_.header.region_clip && clip.enable)
                r = intersect(r, {int32_t(clip.min_x) * kTile_px, int32_t(clip.min_y) * kTile_px,
                                  int32_t(clip.max_x) * kTile_px, int32_t(clip.max_y) * kTile_px});
        }
        return true;
    }

    bool find_bias() {
        if (!biases()) return true;
        uint32_t words[hw::DepthBias::kSize_dw];
        const uint64_t va =
            command_.isp_dbias_base + uint64_t(ppp_.depth_bias_scissor.depth_bias) * hw::DepthBias::kSize_B;
        if (!read(va, words, sizeof words, "depth biases")) return false;
        hw::DepthBias b;
        (void)unpack(words, &b);
        out_.bias.enable = true;
        out_.bias.factor = b.slope;
        out_.bias.units = b.constant;
        out_.bias.clamp = b.clamp;
        out_.bias.format = render_.depth_format == units::DepthFormat::Unorm16 ? pipe::Format::D16_UNORM
                                                                               : pipe::Format::D32_FLOAT;
        return true;
    }

    bool find_tests() {
        const hw::FragmentFace &front = ppp_.front_face, &back = ppp_.back_face;
        const hw::FragmentFace2 &front_2 = ppp_.front_face_2, &back_2 = ppp_.back_face_2;
        units::FragmentTests& t = out_.tests;
        t.desc.depth_compare = both_of(front.depth_func, front_2.depth_func);
        t.desc.depth_write = !front.disable_depth_write || !front_2.disable_depth_write;
        if (t.desc.depth_compare != both_of(back.depth_func, back_2.depth_func) ||
            t.desc.depth_write != (!back.disable_depth_write || !back_2.disable_depth_write))
            return refuse_draw("front and back faces have different depth tests, which is not modelled");
        t.desc.depth_test = t.desc.depth_compare != pipe::Compare::Always || t.desc.depth_write;
        const auto either = [&](bool hw::FragmentControl::*member) {
            return ppp_.fragment_control.*member || ppp_.fragment_control_2.*member;
        };
        t.desc.stencil_test = either(&hw::FragmentControl::stencil_test_enable);
        const bool two_sided = either(&hw::FragmentControl::two_sided_stencil);
        t.desc.front = stencil_of(ppp_.front_stencil);
        t.desc.back = two_sided ? stencil_of(ppp_.back_stencil) : t.desc.front;
        t.reference[0] = uint8_t(front.stencil_reference);
        t.reference[1] = uint8_t(two_sided ? back.stencil_reference : front.stencil_reference);
        t.format = render_.depth_format;
        t.layout = units::DepthLayout::Word;
        t.depth.low = low_;
        t.depth.high = high_;
        if (counting()) {
            out_.counts = true;
            out_.counts_once = visibility() == hw::VisibilityMode::Boolean;
            out_.query = ppp_.occlusion_query.index;
        }
        return true;
    }

    bool find_samples() {
        out_.samples = command_.samples;
        out_.pattern = render_.pattern;
        // Without it, a pixel's centre decides for all its samples.
        if (ppp_.header.cull && !ppp_.cull.primitive_msaa)
            for (unsigned n = 0; n < out_.samples; ++n)
                out_.pattern.x[n] = out_.pattern.y[n] = 128;
        out_.tests.samples = out_.samples;
        for (unsigned n = 0; n < out_.samples; ++n) {
            out_.tests.sample_x[n] = out_.pattern.x[n] / 256.0;
            out_.tests.sample_y[n] = out_.pattern.y[n] / 256.0;
        }
        out_.tests.decide();
        return true;
    }

    bool find_program() {
        const auto pass = hw::PassType(unsigned(ppp_.fragment_control.pass_type) |
                                       unsigned(ppp_.fragment_control_2.pass_type));
        out_.tests_by_program =
            pass == hw::PassType::PunchThrough || pass == hw::PassType::TranslucentPunchThrough;
        // Nothing that the program computes is written; but its discards count.
        out_.shades = out_.tests_by_program || (!ppp_.fragment_control.tag_write_disable &&
                                                !ppp_.fragment_control_2.tag_write_disable);
        if (!out_.shades) return true;
        const std::string what = host::text_of("fragment program of draw ", binned_.number);
        if (!bind_program(core_, command_.fragment_usc_base, ppp_.fragment_shader.pipeline,
                          ppp_.fragment_shader.counts, what, &out_.program, fault_))
            return false;
        out_.program.bindings.sampler_heap = command_.fragment_sampler_heap;
        out_.program.bindings.sampler_heap_count = command_.fragment_sampler_count;
        if (!ppp_.fragment_shader.counts.cf_bindings) return true;
        std::string why;
        const bool grows_up = ppp_.front_face_2.object_type == hw::ObjectType::PointSpriteUv10;
        // Relative to the base of programs, too (Mesa 25.0.7, agx_state.c).
        const uint64_t bindings_va = command_.fragment_usc_base + ppp_.fragment_shader.cf_bindings;
        return out_.coefficients.load(memory_, bindings_va, ppp_.output_select, grows_up,
                                      binned_.output_words, &why) ||
               refuse_draw(why);
    }

    const RenderCommand& command_;
    const RenderState& render_;
    const BinnedDraw& binned_;
    const hw::PppState& ppp_;
    Core& core_;
    Window& memory_;
    FragmentDraw& out_;
    Fault* const fault_;
    double low_ = 0, high_ = 1;  // of depth
};

}  // namespace

bool decode_draw(const RenderCommand& command, const RenderState& render, const BinnedDraw& binned,
                 Core& core, Window& memory, FragmentDraw* out, Fault* fault) {
    return Decoder(command, render, binned, core, memory, out, fault).run();
}

}  // namespace terrazzo::agx::sim
