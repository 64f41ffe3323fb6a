// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The facts that a draw's shaders depend on, and nothing else: values are uniforms. Unused fields have their
// first value, so that equal shaders have equal keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "api/es1/state.h"

namespace terrazzo::es1 {

enum class TextureKind : uint8_t { None, Flat, Cube, External };
/// Base internal formats (table 3.11).
enum class BaseFormat : uint8_t { Alpha, Luminance, LuminanceAlpha, Rgb, Rgba };
enum class EnvMode : uint8_t { Replace, Modulate, Decal, Blend, Add, Combine };
enum class CombineFunction : uint8_t {
    Replace,
    Modulate,
    Add,
    AddSigned,
    Interpolate,
    Subtract,
    Dot3Rgb,
    Dot3Rgba
};
/// Texture: of this unit; Texture0 and following: of unit 0 and following.
enum class CombineSource : uint8_t { Texture, Constant, Primary, Previous, Texture0 };
enum class CombineOperand : uint8_t { Color, OneMinusColor, Alpha, OneMinusAlpha };
enum class TexGen : uint8_t { None, NormalMap, ReflectionMap };
enum class FogMode : uint8_t { None, Linear, Exp, Exp2 };

struct CombineKey {
    CombineFunction function = CombineFunction::Replace;
    std::array<uint8_t, 3> source{}, operand{};  // CombineSource, CombineOperand
    uint8_t scale = 1;
    bool operator==(const CombineKey&) const = default;
};

struct UnitKey {
    TextureKind texture = TextureKind::None;
    BaseFormat format = BaseFormat::Alpha;
    EnvMode mode = EnvMode::Replace;
    TexGen gen = TexGen::None;
    bool matrix = false;      // the texture matrix is not the identity
    bool projective = false;  // q may differ from 1
    bool replace = false;     // the coordinates are those of the point (GL_COORD_REPLACE_OES)
    CombineKey rgb, alpha;
    bool operator==(const UnitKey&) const = default;
};

struct Key {
    std::array<UnitKey, kUnits> units;
    bool lighting = false, two_side = false, color_material = false, normalize = false, flat = false;
    uint8_t lights = 0, positional = 0, spot = 0;  // bit per light
    uint8_t planes = 0;
    FogMode fog = FogMode::None;
    uint8_t alpha_func = 0;  // of GL_ALPHA_TEST: func - GL_NEVER + 1; 0: no test
    bool points = false;     // the primitives are points
    bool attenuate = false, smooth_points = false, sprites = false, fade = false;
    bool rectangle = false;  // of glDrawTex
    bool alpha_to_one = false;
    uint8_t logic_op = 0;                 // opcode - GL_CLEAR + 1; 0: none
    std::array<uint8_t, 4> color_bits{};  // of the framebuffer, for logic_op
    bool operator==(const Key&) const = default;
};
static_assert(std::has_unique_object_representations_v<Key>, "keys are hashed by their bytes");

struct KeyHash {
    size_t operator()(const Key& k) const;
};

class Context;
/// The key of the context's state for primitives of `mode`, or for glDrawTex's rectangle. Lock the share
/// group.
[[nodiscard]] Key make_key(Context& ctx, GLenum mode, bool rectangle);

}  // namespace terrazzo::es1
