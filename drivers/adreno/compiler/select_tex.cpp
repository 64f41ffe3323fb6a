// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures. Facts: Mesa 25.0.7, ir3_compiler_nir.c (emit_tex and others). The first source contains
// coordinates, the reference value, the layer; from the fifth register on, derivatives. The second source
// contains offsets, then the level or bias.
#include <array>
#include <bit>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;
using isa::Type;

namespace {

bool is_fetch(ir::TexOp op) {
    return op == ir::TexOp::Fetch || op == ir::TexOp::FetchMS;
}

Op op_of(const ir::TexInfo& t, ir::Stage stage) {
    constexpr Op kGathers[] = {Op::kGather4r, Op::kGather4g, Op::kGather4b, Op::kGather4a};
    switch (t.op) {
        case ir::TexOp::Sample:
            // Without derivatives, the level is 0.
            return stage == ir::Stage::Fragment ? Op::kSam : Op::kSaml;
        case ir::TexOp::SampleBias:
            return stage == ir::Stage::Fragment ? Op::kSamb : Op::kSaml;
        case ir::TexOp::SampleLod:
            return Op::kSaml;
        case ir::TexOp::SampleGrad:
            return Op::kSamgq;
        case ir::TexOp::Fetch:
            return Op::kIsaml;
        case ir::TexOp::FetchMS:
            return Op::kIsamm;
        case ir::TexOp::Gather:
            return kGathers[t.gather_component & 3];
        case ir::TexOp::Size:
            return t.dim == ir::TexDim::Buffer ? Op::kGetbuf : Op::kGetsize;
        case ir::TexOp::Levels:
            return Op::kGetinfo;
        case ir::TexOp::QueryLod:
            return Op::kGetlod;
    }
    return Op::kSam;
}

unsigned dimensions(const ir::TexInfo& t) {
    using enum ir::TexDim;
    return t.dim == D1 || t.dim == Buffer ? 1 : t.dim == D3 || t.dim == Cube ? 3 : 2;
}

/// A bit per result that is used.
uint8_t used_results(const ir::Instr& i) {
    unsigned mask = 0;
    for (unsigned c = 0; c < i.result_count; c++)
        mask |= unsigned(i.result(c)->has_uses()) << c;
    return uint8_t(mask);
}

}  // namespace

bool Selector::is_rounded_only(const ir::Instr& i) const {
    bool any = false;
    for (unsigned k = 0; k < i.result_count; k++)
        for (const ir::Use* u = i.result(k)->uses; u; u = u->next) {
            if (is_prefetched(*u->user)) continue;
            any = true;
            if (u->user->op != ir::Op::F2F || u->user->result()->type != ir::Type::F16 ||
                i.result(k)->type != ir::Type::F32)
                return false;
        }
    return any;
}

/// Prefetches 2D textures whose coordinates are two components of a varying, in the first block (Mesa 25.0.7,
/// ir3_nir_lower_tex_prefetch.c: later ones would occupy registers for long). Then the weights i and j must
/// be r0.x, and the results must not be beyond r15.w.
void Selector::plan_prefetches() {
    constexpr unsigned kMaxTexture = 15;
    const auto coordinate = [](const ir::Value* v) -> const ir::IoInfo* {
        const ir::Instr* d = v->def;
        const bool plain = d && d->op == ir::Op::LoadInput && d->u.io.interp == ir::Interp::Smooth &&
                           d->u.io.interp_at == ir::InterpAt::Center;
        return plain ? &d->u.io : nullptr;
    };
    for (const ir::Instr* i = s_.body->first; i && !i->region_count; i = i->next) {
        if (i->op != ir::Op::Tex || info_.prefetches.size() == kMaxPrefetches) continue;
        const ir::TexInfo& t = *i->u.tex;
        if (t.op != ir::TexOp::Sample || t.dim != ir::TexDim::D2 || t.arrayed || t.shadow || t.indexed ||
            t.result != ir::Type::F32 || t.offset[0] || t.offset[1] || unsigned(t.binding) > kMaxTexture)
            continue;
        const ir::TexOperands o = ir::tex_operands(t);
        const ir::IoInfo* x = coordinate(i->operand(unsigned(o.coord)));
        const ir::IoInfo* y = coordinate(i->operand(unsigned(o.coord) + 1));
        if (!x || !y || x->slot != y->slot || y->component != x->component + 1) continue;
        TexturePrefetch p{
            .texture = uint8_t(t.binding), .mask = used_results(*i), .half = is_rounded_only(*i)};
        if (!p.mask) continue;
        (void)barycentric(ir::IoInfo{});
        p.inloc = uint8_t(varying(*x, VaryingInput::Kind::Varying)->inloc + x->component);
        const Word first = take_input(unsigned(std::bit_width(p.mask)), p.half, &p.reg);
        for (unsigned c = 0; c < 4; c++) {
            if (!(p.mask >> c & 1)) continue;
            f_.prefetched.push_back(first + c);
            set(i->result(c), Ref::word(first + c, p.half));
        }
        info_.needs_helpers = true;
        info_.prefetches.push_back(p);
        prefetched_.push_back(i);
    }
}

void Selector::plan_textures() {
    uint32_t sampled = 0;
    for_each([&](const ir::Instr& i) {
        if (i.op != ir::Op::Tex) return;
        const ir::TexInfo& t = *i.u.tex;
        constexpr int kMaxTextures = 16;
        if (t.binding < 0 || t.binding + int(t.count) > kMaxTextures)
            return f_.fail("adreno: more textures than there are");
        const uint32_t slots = ((1u << t.count) - 1) << t.binding;
        info_.textures |= slots;
        if (t.op == ir::TexOp::Fetch && t.dim != ir::TexDim::Buffer) info_.fetched |= slots;
        if (!is_fetch(t.op) && t.op != ir::TexOp::Size && t.op != ir::TexOp::Levels) sampled |= slots;
    });
    // The second descriptors of an array must be adjacent, too.
    for_each([&](const ir::Instr& i) {
        if (i.op != ir::Op::Tex || i.u.tex->op != ir::TexOp::Fetch) return;
        const uint32_t slots = info_.fetched & ((1u << i.u.tex->count) - 1) << i.u.tex->binding;
        if (slots & sampled) info_.fetched_apart |= slots;
    });
}

/// Texture and sampler have the same number. A dynamic number is in two halves: texture, sampler.
Ref Selector::name_texture(const ir::Instr& i, const ir::TexOperands& o, isa::Instr* to) {
    const ir::TexInfo& t = *i.u.tex;
    const auto binding = uint32_t(t.binding);
    const uint32_t first = t.op == ir::TexOp::Fetch ? info_.fetched_number(binding) : binding;
    if (o.index < 0) {
        to->set_texture(first);
        if (to->info().texture.sampler) to->set_sampler(binding);
        return {};
    }
    const Ref slot = add_u({use(i.operand(unsigned(o.index))), constant(first)});
    const Ref half = convert(Type::kU32, Type::kU16, in_register(slot));
    const Ref both[] = {half, first == binding ? half : Ref::immediate(0, true)};
    to->set_texture_mode(unsigned(isa::TextureMode::kIndirectNonuniform));
    Ref numbers = Ref::run(collect(both, true), 2);
    numbers.half = true;
    return numbers;
}

unsigned Selector::coordinates(const ir::Instr& i, const ir::TexOperands& o, Ref* out) {
    const ir::TexInfo& t = *i.u.tex;
    unsigned n = 0;
    const unsigned dims = dimensions(t);
    for (unsigned c = 0; c < dims; c++)
        out[n++] = use(i.operand(unsigned(o.coord) + c));
    if (dims == 1) out[n++] = is_fetch(t.op) ? constant(0) : number(0.5f);
    if (t.shadow && o.ref >= 0) out[n++] = use(i.operand(unsigned(o.ref)));
    if (t.arrayed && t.op != ir::TexOp::QueryLod) {
        // The hardware rounds the layer down, so adding one half rounds it to the nearest.
        Ref layer = use(i.operand(unsigned(o.coord) + dims));
        if (!is_fetch(t.op)) layer = add_f({layer, number(0.5f)});
        out[n++] = layer;
    }
    if (t.op == ir::TexOp::FetchMS) out[n++] = use(i.operand(unsigned(o.lod)));
    if (t.op != ir::TexOp::SampleGrad) return n;
    while (n < 4)
        out[n++] = constant(0);
    for (const int first : {o.ddx, o.ddy}) {
        for (unsigned c = 0; c < dims; c++)
            out[n++] = use(i.operand(unsigned(first) + c));
        if (dims == 1) out[n++] = constant(0);
    }
    return n;
}

unsigned Selector::second_source(const ir::Instr& i, const ir::TexOperands& o, Ref* out, bool* has_offset) {
    const ir::TexInfo& t = *i.u.tex;
    unsigned n = 0;
    const unsigned dims = t.dim == ir::TexDim::Cube ? 2 : dimensions(t);
    *has_offset = o.offset >= 0 || t.offset[0] || t.offset[1] || t.offset[2];
    for (unsigned c = 0; *has_offset && c < std::max(dims, 2u); c++) {
        const bool given = o.offset >= 0 && c < 2;
        out[n++] = given ? use(i.operand(unsigned(o.offset) + c)) : constant(uint32_t(int32_t(t.offset[c])));
    }
    if (o.lod >= 0 && t.op != ir::TexOp::FetchMS &&
        !(t.op == ir::TexOp::SampleBias && s_.stage != ir::Stage::Fragment))
        out[n++] = use(i.operand(unsigned(o.lod)));
    else if (op_of(t, s_.stage) == Op::kSaml || op_of(t, s_.stage) == Op::kIsaml)
        out[n++] = constant(0);
    return n;
}

Word Selector::push_texture(const isa::Instr& proto, std::span<const Ref> first, std::span<const Ref> second,
                            uint8_t mask, bool half, const Ref& texture) {
    const auto source = [&](std::span<const Ref> refs) {
        if (refs.size() == 1 && is_word(refs[0]) && is_plain(refs[0]))
            return Ref::word(refs[0].as_word(), refs[0].half);
        return Ref::run(collect(refs), unsigned(refs.size()));
    };
    Inst i = with(proto, {{}, {}, texture});
    if (!first.empty()) i.src[0] = source(first);
    if (!second.empty()) i.src[1] = source(second);
    // The destination begins at component 0, even if it is not written.
    i.dest_count = uint8_t(std::bit_width(mask));
    i.dest_mask = mask;
    i.dest = new_words(i.dest_count, half);
    const isa::OpInfo& row = i.proto.info();
    info_.needs_helpers |= row.is(isa::kNeedsHelpers);
    samples_ |= row.is(isa::kNeedsHelpers);
    push(i);
    return i.dest;
}

/// The offset of the sample from the pixel's centre, in pixels: two words.
Word Selector::sample_offset(Ref sample) {
    return push_texture(isa::make(Op::kRgetpos), std::span(&sample, 1), {}, 3);
}

std::optional<unsigned> color_target(const ir::Instr& i) {
    if (i.op != ir::Op::LoadSysval) return {};
    const auto s = ir::Sysval(i.u.io.slot);
    if (s < ir::Sysval::LastColor0 || s > ir::Sysval::LastColor7) return {};
    return unsigned(s) - unsigned(ir::Sysval::LastColor0);
}

/// Loads the colours of the render targets at the fragment's position and sample (Mesa 25.0.7,
/// nir_lower_fb_read.c), in the first block, from textures of their own.
void Selector::plan_colors_read() {
    std::array<uint8_t, size_t(ir::FragSlot::Color7) + 1> masks{};
    std::array<ir::Type, masks.size()> types{};
    const auto each = [&](auto&& f) {
        for_each([&](const ir::Instr& i) {
            if (const auto target = color_target(i)) f(i, *target);
        });
    };
    each([&](const ir::Instr& i, unsigned target) {
        info_.colors_read |= 1u << target;
        masks[target] = uint8_t(masks[target] | 1u << i.u.io.component);
        types[target] = i.result()->type;
    });
    if (!info_.colors_read) return;
    info_.per_sample = true;
    constexpr uint32_t kSixteenths = 4;
    Ref place[3];
    for (unsigned c = 0; c < 2; c++)
        place[c] = shr_b({Ref::word(coordinates_of_fragment() + c), constant(kSixteenths)});
    place[2] = sample_id();
    std::array<Word, masks.size()> words{};
    for (unsigned target = 0; target < masks.size(); target++) {
        if (!masks[target]) continue;
        isa::Instr fetch = isa::make(Op::kIsamm).set_texture(info_.color_number(target));
        fetch.set_type(ir::is_float(types[target]) ? Type::kF32 : Type::kU32);
        words[target] = push_texture(fetch, place, {}, masks[target]);
    }
    each([&](const ir::Instr& i, unsigned target) {
        set(i.result(), Ref::word(words[target] + i.u.io.component));
    });
}

void Selector::texture(const ir::Instr& i) {
    if (is_prefetched(i)) return;
    const ir::TexInfo& t = *i.u.tex;
    const ir::TexOperands o = ir::tex_operands(t);
    if (t.op == ir::TexOp::Size || t.op == ir::TexOp::Levels) return texture_query(i, o);
    isa::Instr p = isa::make(op_of(t, s_.stage));
    const bool is_float = t.result == ir::Type::F32;
    const bool lod = t.op == ir::TexOp::QueryLod, half = !lod && is_rounded_only(i);
    p.set_type(lod ? Type::kS32 : half ? Type::kF16 : is_float ? Type::kF32 : Type::kU32);
    p.set_cube(dimensions(t) == 3).set_array(t.arrayed && !lod);
    if (p.info().has(isa::Field::kShadow)) p.set_shadow(t.shadow && !lod);
    const Ref named = name_texture(i, o, &p);
    Ref first[12], second[4];
    const unsigned n = coordinates(i, o, first);
    bool has_offset = false;
    const unsigned k = second_source(i, o, second, &has_offset);
    p.set_coordinate_offset(has_offset);
    const uint8_t mask = used_results(i);
    if (!mask) return;
    const Word dest = push_texture(p, {first, n}, {second, k}, mask, half, named);
    for (unsigned c = 0; c < i.result_count; c++) {
        if (!(mask >> c & 1)) continue;
        Ref r = Ref::word(dest + c, half);
        // The unit is 1/256 of a level.
        if (lod) r = mul_f({convert(Type::kS32, Type::kF32, r), number(1.0f / 256)});
        set(i.result(c), r);
    }
}

void Selector::texture_query(const ir::Instr& i, const ir::TexOperands& o) {
    const ir::TexInfo& t = *i.u.tex;
    isa::Instr p = isa::make(op_of(t, s_.stage)).set_type(Type::kU32);
    const Ref named = name_texture(i, o, &p);
    if (t.op == ir::TexOp::Levels) {
        constexpr unsigned kLevels = 2;  // .z
        const Word dest = push_texture(p, {}, {}, 1u << kLevels, false, named);
        return set(i.result(), Ref::word(dest + kLevels));
    }
    p.set_cube(dimensions(t) == 3).set_array(t.arrayed);
    const Ref lod = o.lod >= 0 ? use(i.operand(unsigned(o.lod))) : constant(0);
    const std::span<const Ref> first =
        t.dim == ir::TexDim::Buffer ? std::span<const Ref>{} : std::span(&lod, 1);
    const Word dest = push_texture(p, first, {}, 0xf, false, named);
    const unsigned dims = t.dim == ir::TexDim::Cube ? 2 : dimensions(t);
    for (unsigned c = 0; c < i.result_count; c++) {
        // .w, the same at every level: the layers of the descriptor, or the number of cubes
        constexpr unsigned kLayers = 3;
        set(i.result(c), Ref::word(dest + (t.arrayed && c == dims ? kLayers : c)));
    }
}

}  // namespace terrazzo::adreno::compiler
