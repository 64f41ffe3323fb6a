// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The text of texture instructions.
#include "drivers/adreno/isa/parser.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

TextureMode with_a1(TextureMode mode) {
    return mode == TextureMode::kBindlessImmediate    ? TextureMode::kBindlessA1Immediate
           : mode == TextureMode::kBindlessUniform    ? TextureMode::kBindlessA1Uniform
           : mode == TextureMode::kBindlessNonuniform ? TextureMode::kBindlessA1Nonuniform
                                                      : mode;
}

bool parse_type_and_mask(Parser* p, bool type, Instr* out) {
    uint16_t value = 0;
    unsigned mask = 0;
    if (type) {
        if (!p->expect("(") || !p->named(kTypeNames, "type", &value) || !p->expect(")")) {
            return false;
        }
        out->set_type(Type(value));
    }
    if (!p->expect("(") || !p->write_mask(&mask) || !p->expect(")")) {
        return false;
    }
    out->set_write_mask(mask);
    return true;
}

/// s#N, t#N and a1.x, in this order.
bool parse_texture_numbers(Parser* p, Instr* out) {
    const OpInfo& row = out->info();
    const bool numbers = !is_indirect(TextureMode(out->texture_mode()));
    int64_t value = 0;
    if (numbers && row.texture.sampler) {
        if (!p->expect(",") || !p->expect("s#") || !p->number(0, 255, &value)) {
            return false;
        }
        out->set_sampler(unsigned(value));
    }
    if (p->rest.empty()) {
        return !(numbers && row.texture.texture) || refuse(p->error, "%s names no texture", row.name);
    }
    if (!p->expect(",")) {
        return false;
    }
    if (p->take_flag("a1.x")) {
        out->set_texture_mode(unsigned(with_a1(TextureMode(out->texture_mode()))));
        return uses_a1(TextureMode(out->texture_mode())) || refuse(p->error, "only bindless forms use a1.x");
    }
    if (!numbers || !row.texture.texture) {
        return refuse(p->error, "%s has too many operands", row.name);
    }
    if (!p->expect("t#") || !p->number(0, 127, &value)) {
        return false;
    }
    out->set_texture(unsigned(value));
    return true;
}

}  // namespace

bool parse_descriptor(Parser* p, Instr* out) {
    const bool s2en = p->take_flag(".s2en");
    bool uniform = false;
    if (s2en) {
        uniform = p->take_flag(".uniform");
        if (!uniform && !p->take_flag(".nonuniform")) {
            return refuse(p->error, ".s2en is .uniform or .nonuniform");
        }
    }
    int64_t base = 0;
    const bool bindless = p->take(".base");
    if (bindless && !p->number(0, 7, &base)) {
        return false;
    }
    out->set_base(unsigned(base));
    // The end of the line determines what a1.x contains.
    out->set_texture_mode(
        unsigned(!s2en      ? bindless ? TextureMode::kBindlessImmediate : TextureMode::kBound
                 : bindless ? uniform ? TextureMode::kBindlessUniform : TextureMode::kBindlessNonuniform
                 : uniform  ? TextureMode::kIndirectUniform
                            : TextureMode::kIndirectNonuniform));
    return true;
}

bool parse_texture_operands(Parser* p, Instr* out) {
    const OpInfo& row = out->info();
    if (!parse_type_and_mask(p, row.texture.type, out) || !p->dest(&out->dst[0])) {
        return false;
    }
    if (!row.texture.type) {
        out->set_type(out->dst[0].half ? Type::kF16 : Type::kF32);
    }
    const bool wanted[] = {row.texture.sources > 0, row.texture.sources > 1 || out->coordinate_offset(),
                           is_indirect(TextureMode(out->texture_mode()))};
    for (unsigned i = 0; i < 3; i++) {
        if (!wanted[i]) {
            out->src[i] = {};
        } else if (!p->expect(",") || !p->source(row.source_rows[i], Type::kF32, &out->src[i])) {
            return false;
        }
        p->skip_blanks();
        int64_t offset;
        if (i == 0 && row.has_offset() && p->rest.starts_with('+')) {
            if (!p->number(0, 255, &offset)) {
                return false;
            }
            out->has_offset = true;
            out->offset = int32_t(offset);
        }
    }
    p->skip_blanks();
    return parse_texture_numbers(p, out);
}

}  // namespace terrazzo::adreno::isa
