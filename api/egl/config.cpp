// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The configs and eglChooseConfig (EGL 1.5, 3.4).
#include <algorithm>
#include <array>

#include "api/egl/display.h"
#include "api/egl/enum_name.h"
#include "pipe/fourcc.h"

namespace terrazzo::egl {
namespace {

struct ColorRow {
    pipe::Format format;
    int red, green, blue, alpha;
    bool is_float = false;
};
// All window systems show memory order BGRA without conversion.
constexpr ColorRow kColors[] = {
    {pipe::Format::B8G8R8A8_UNORM, 8, 8, 8, 8},
    {pipe::Format::B8G8R8X8_UNORM, 8, 8, 8, 0},
    {pipe::Format::B5G6R5_UNORM, 5, 6, 5, 0},
    {pipe::Format::B10G10R10A2_UNORM, 10, 10, 10, 2},
    {pipe::Format::B10G10R10X2_UNORM, 10, 10, 10, 0},
    {pipe::Format::R16G16B16A16_FLOAT, 16, 16, 16, 16, true},
};
constexpr uint32_t kSamples[] = {4, 8};  // of multisampled configs
struct DepthRow {
    pipe::Format format;
    int depth, stencil;
};
constexpr DepthRow kDepths[] = {
    {pipe::Format::None, 0, 0},          {pipe::Format::D24_UNORM_S8_UINT, 24, 8},
    {pipe::Format::D24_UNORM_X8, 24, 0}, {pipe::Format::D16_UNORM, 16, 0},
    {pipe::Format::S8_UINT, 0, 8},
};

/// How eglChooseConfig compares an attribute (EGL 1.5, table 3.4).
enum class Match : uint8_t { AtLeast, Exact, Mask, Special, Ignored };
struct AttributeRow {
    EGLint name;
    EGLint initial;
    Match match;
};
constexpr AttributeRow kAttributes[] = {
    {EGL_BUFFER_SIZE, 0, Match::AtLeast},
    {EGL_RED_SIZE, 0, Match::AtLeast},
    {EGL_GREEN_SIZE, 0, Match::AtLeast},
    {EGL_BLUE_SIZE, 0, Match::AtLeast},
    {EGL_LUMINANCE_SIZE, 0, Match::AtLeast},
    {EGL_ALPHA_SIZE, 0, Match::AtLeast},
    {EGL_ALPHA_MASK_SIZE, 0, Match::AtLeast},
    {EGL_BIND_TO_TEXTURE_RGB, EGL_DONT_CARE, Match::Exact},
    {EGL_BIND_TO_TEXTURE_RGBA, EGL_DONT_CARE, Match::Exact},
    {EGL_COLOR_BUFFER_TYPE, EGL_RGB_BUFFER, Match::Exact},
    {EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FIXED_EXT, Match::Exact},
    {EGL_CONFIG_CAVEAT, EGL_DONT_CARE, Match::Exact},
    {EGL_CONFIG_ID, EGL_DONT_CARE, Match::Exact},
    {EGL_CONFORMANT, 0, Match::Mask},
    {EGL_DEPTH_SIZE, 0, Match::AtLeast},
    {EGL_LEVEL, 0, Match::Exact},
    {EGL_MATCH_NATIVE_PIXMAP, EGL_NONE, Match::Special},
    {EGL_MAX_PBUFFER_WIDTH, EGL_DONT_CARE, Match::Ignored},
    {EGL_MAX_PBUFFER_HEIGHT, EGL_DONT_CARE, Match::Ignored},
    {EGL_MAX_PBUFFER_PIXELS, EGL_DONT_CARE, Match::Ignored},
    {EGL_MAX_SWAP_INTERVAL, EGL_DONT_CARE, Match::Exact},
    {EGL_MIN_SWAP_INTERVAL, EGL_DONT_CARE, Match::Exact},
    {EGL_NATIVE_RENDERABLE, EGL_DONT_CARE, Match::Exact},
    {EGL_NATIVE_VISUAL_ID, EGL_DONT_CARE, Match::Ignored},
    {EGL_NATIVE_VISUAL_TYPE, EGL_DONT_CARE, Match::Exact},
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES_BIT, Match::Mask},
    {EGL_SAMPLE_BUFFERS, 0, Match::AtLeast},
    {EGL_SAMPLES, 0, Match::AtLeast},
    {EGL_STENCIL_SIZE, 0, Match::AtLeast},
    {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, Match::Mask},
    {EGL_TRANSPARENT_TYPE, EGL_NONE, Match::Exact},
    {EGL_TRANSPARENT_RED_VALUE, EGL_DONT_CARE, Match::Exact},
    {EGL_TRANSPARENT_GREEN_VALUE, EGL_DONT_CARE, Match::Exact},
    {EGL_TRANSPARENT_BLUE_VALUE, EGL_DONT_CARE, Match::Exact},
};
constexpr size_t kAttributeCount = std::size(kAttributes);

int attribute_index(EGLint name) {
    for (size_t i = 0; i < kAttributeCount; ++i)
        if (kAttributes[i].name == name) return int(i);
    return -1;
}

/// Whether eglChooseConfig accepts the value; otherwise EGL_BAD_ATTRIBUTE.
bool value_valid(const AttributeRow& row, EGLint value) {
    constexpr EGLint kApis =
        EGL_OPENGL_ES_BIT | EGL_OPENVG_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT;
    constexpr EGLint kSurfaces = EGL_PBUFFER_BIT | EGL_PIXMAP_BIT | EGL_WINDOW_BIT |
                                 EGL_VG_COLORSPACE_LINEAR_BIT | EGL_VG_ALPHA_FORMAT_PRE_BIT |
                                 EGL_MULTISAMPLE_RESOLVE_BOX_BIT | EGL_SWAP_BEHAVIOR_PRESERVED_BIT;
    switch (row.name) {
        case EGL_LEVEL:
            return value != EGL_DONT_CARE;
        case EGL_MATCH_NATIVE_PIXMAP:
            return true;
        case EGL_COLOR_BUFFER_TYPE:
            return value == EGL_DONT_CARE || value == EGL_RGB_BUFFER || value == EGL_LUMINANCE_BUFFER;
        case EGL_COLOR_COMPONENT_TYPE_EXT:
            return value == EGL_DONT_CARE || value == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT ||
                   value == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT;
        case EGL_CONFIG_CAVEAT:
            return value == EGL_DONT_CARE || value == EGL_NONE || value == EGL_SLOW_CONFIG ||
                   value == EGL_NON_CONFORMANT_CONFIG;
        case EGL_TRANSPARENT_TYPE:
            return value == EGL_DONT_CARE || value == EGL_NONE || value == EGL_TRANSPARENT_RGB;
        case EGL_BIND_TO_TEXTURE_RGB:
        case EGL_BIND_TO_TEXTURE_RGBA:
        case EGL_NATIVE_RENDERABLE:
            return value == EGL_DONT_CARE || value == EGL_TRUE || value == EGL_FALSE;
        case EGL_RENDERABLE_TYPE:
        case EGL_CONFORMANT:
            return value == EGL_DONT_CARE || !(value & ~kApis);
        case EGL_SURFACE_TYPE:
            return value == EGL_DONT_CARE || !(value & ~kSurfaces);
        default:
            return value == EGL_DONT_CARE || value >= 0;
    }
}

using Wanted = std::array<EGLint, kAttributeCount>;

bool matches_one(const Config& c, const AttributeRow& row, EGLint want) {
    EGLint have = 0;
    if (want == EGL_DONT_CARE || row.match == Match::Ignored) return true;
    if (row.match == Match::Special) return want == EGL_NONE;  // there are no pixmaps, so none matches
    if (!config_attribute(c, row.name, &have)) return false;
    return row.match == Match::AtLeast ? have >= want
           : row.match == Match::Exact ? have == want
                                       : (have & want) == want;
}

bool matches(const Config& c, const Wanted& wanted) {
    const EGLint id = wanted[size_t(attribute_index(EGL_CONFIG_ID))];
    if (id != EGL_DONT_CARE)  // all other attributes are ignored then
        return c.id == id;
    for (size_t i = 0; i < kAttributeCount; ++i)
        if (!matches_one(c, kAttributes[i], wanted[i])) return false;
    return true;
}

struct BitRow {
    EGLint attribute, bit;  // EGL_CONFORMANT has the bits of EGL_RENDERABLE_TYPE
    const char* name;
};
constexpr BitRow kBits[] = {
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES_BIT, "EGL_OPENGL_ES_BIT"},
    {EGL_RENDERABLE_TYPE, EGL_OPENVG_BIT, "EGL_OPENVG_BIT"},
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, "EGL_OPENGL_ES2_BIT"},
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, "EGL_OPENGL_BIT"},
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, "EGL_OPENGL_ES3_BIT"},
    {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, "EGL_PBUFFER_BIT"},
    {EGL_SURFACE_TYPE, EGL_PIXMAP_BIT, "EGL_PIXMAP_BIT"},
    {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, "EGL_WINDOW_BIT"},
    {EGL_SURFACE_TYPE, EGL_VG_COLORSPACE_LINEAR_BIT, "EGL_VG_COLORSPACE_LINEAR_BIT"},
    {EGL_SURFACE_TYPE, EGL_VG_ALPHA_FORMAT_PRE_BIT, "EGL_VG_ALPHA_FORMAT_PRE_BIT"},
    {EGL_SURFACE_TYPE, EGL_MULTISAMPLE_RESOLVE_BOX_BIT, "EGL_MULTISAMPLE_RESOLVE_BOX_BIT"},
    {EGL_SURFACE_TYPE, EGL_SWAP_BEHAVIOR_PRESERVED_BIT, "EGL_SWAP_BEHAVIOR_PRESERVED_BIT"},
};

/// "EGL_SURFACE_TYPE EGL_PBUFFER_BIT|EGL_WINDOW_BIT (the default)".
std::string describe(const AttributeRow& row, EGLint want) {
    std::string out = enum_text(row.name) + (row.match == Match::AtLeast ? " of at least" : "");
    if (row.match == Match::Mask) {
        const EGLint bits_of = row.name == EGL_CONFORMANT ? EGL_RENDERABLE_TYPE : row.name;
        char separator = ' ';
        for (const BitRow& b : kBits)
            if (b.attribute == bits_of && (want & b.bit)) {
                (out += separator) += b.name;
                separator = '|';
            }
    } else {
        out += ' ' + (want >= 0x3000 ? enum_text(want) : std::to_string(want));
    }
    return want == row.initial ? out + " (the default)" : out;
}

/// The attribute that leaves no config: one that no config satisfies, otherwise the one that removes the last
/// config. The program's attributes are applied after the defaults, so that it is one of the program's if
/// possible.
std::string why_none(const std::vector<Config>& configs, const Wanted& wanted) {
    const size_t id = size_t(attribute_index(EGL_CONFIG_ID));
    if (wanted[id] != EGL_DONT_CARE) return "no config has " + describe(kAttributes[id], wanted[id]);
    std::vector<const Config*> left;
    for (const Config& c : configs)
        left.push_back(&c);
    std::string alone, before, last;
    for (const bool given : {false, true})
        for (size_t i = 0; i < kAttributeCount; ++i) {
            const AttributeRow& row = kAttributes[i];
            if ((wanted[i] != row.initial) != given) continue;
            const std::string text = describe(row, wanted[i]);
            const auto fits = [&](const Config& c) { return matches_one(c, row, wanted[i]); };
            if (std::none_of(configs.begin(), configs.end(), fits))
                alone += (alone.empty() ? "no config has " : "; none has ") + text;
            const size_t count = left.size();
            std::erase_if(left, [&](const Config* c) { return !fits(*c); });
            if (last.empty() && left.empty()) last = "no config has " + text + " and " + before;
            if (left.size() != count) before += (before.empty() ? "" : ", ") + text;
        }
    return alone.empty() ? last : alone;
}

/// Sorts by EGL 1.5, 3.4.1.2, and EGL_EXT_pixel_format_float: fixed point first, then more bits of the
/// requested colours, then smaller values of the others, samples before depth and stencil.
bool sorts_before(const Config& a, const Config& b, const Wanted& wanted) {
    auto asked_bits = [&](const Config& c) {
        EGLint sum = 0;
        const EGLint names[] = {EGL_RED_SIZE, EGL_GREEN_SIZE, EGL_BLUE_SIZE, EGL_ALPHA_SIZE};
        const EGLint sizes[] = {c.red, c.green, c.blue, c.alpha};
        for (int i = 0; i < 4; ++i) {
            EGLint w = wanted[size_t(attribute_index(names[i]))];
            if (w != 0 && w != EGL_DONT_CARE) sum += sizes[i];
        }
        return sum;
    };
    const auto key = [&](const Config& c) {
        return std::array{EGLint(c.is_float),
                          -asked_bits(c),
                          c.red + c.green + c.blue + c.alpha,
                          EGLint(c.samples),
                          c.depth,
                          c.stencil,
                          c.id};
    };
    return key(a) < key(b);
}

}  // namespace

std::vector<Config> make_configs(const pipe::Screen& screen, const winsys::Platform& platform) {
    const int version = st::highest_version(screen);
    std::vector<Config> out;
    const auto add = [&](const DepthRow& d, const ColorRow& c, uint32_t samples) {
        using pipe::ResourceKind;
        // Multisampled surfaces are resolved, not sampled.
        const uint32_t bind = samples > 1 ? pipe::bind::kColor : pipe::bind::kColor | pipe::bind::kSampled;
        if (!screen.format_supported(c.format, ResourceKind::Tex2D, samples, bind)) return;
        const pipe::Format depth = pipe::choose_depth_format(screen, d.format, samples);
        if (depth != pipe::Format::None &&
            !screen.format_supported(depth, ResourceKind::Tex2D, samples, pipe::bind::kDepthStencil))
            return;
        Config r;
        r.id = EGLint(out.size()) + 1;
        r.red = c.red, r.green = c.green, r.blue = c.blue, r.alpha = c.alpha;
        r.is_float = c.is_float;
        r.depth = d.depth, r.stencil = d.stencil;
        r.color_format = c.format, r.depth_stencil_format = depth;
        r.fourcc = pipe::fourcc_of(c.format);
        r.samples = samples;
        r.native_visual_id = EGLint(platform.native_visual(r.fourcc));
        r.surface_type = EGL_PBUFFER_BIT;
        r.max_pbuffer = max_pbuffer_px(screen);
        if (version >= 30) r.renderable_type |= EGL_OPENGL_ES3_BIT;
        // No windows with 10 bits: EGL's order would prefer them in every program that asks for one bit or
        // more, at a cost without visible effect on the screens that we present to.
        if (platform.has_windows() && c.red <= 8 && platform.can_present(r.fourcc))
            r.surface_type |= EGL_WINDOW_BIT | EGL_SWAP_BEHAVIOR_PRESERVED_BIT;
        out.push_back(r);
    };
    for (const DepthRow& d : kDepths)
        for (const ColorRow& c : kColors)
            add(d, c, 1);
    // OpenGL ES 3.0 has multisampled renderbuffers, but its programs also request multisampled surfaces.
    for (const uint32_t samples : kSamples)
        for (const DepthRow& d : kDepths)
            for (const ColorRow& c : kColors)
                if (version >= 30 && c.red <= 8) add(d, c, samples);
    return out;
}

bool config_attribute(const Config& c, EGLint attribute, EGLint* value) {
    const bool windows = c.surface_type & EGL_WINDOW_BIT;
    switch (attribute) {
        case EGL_BUFFER_SIZE:
            *value = c.red + c.green + c.blue + c.alpha;
            return true;
        case EGL_RED_SIZE:
            *value = c.red;
            return true;
        case EGL_GREEN_SIZE:
            *value = c.green;
            return true;
        case EGL_BLUE_SIZE:
            *value = c.blue;
            return true;
        case EGL_ALPHA_SIZE:
            *value = c.alpha;
            return true;
        case EGL_DEPTH_SIZE:
            *value = c.depth;
            return true;
        case EGL_STENCIL_SIZE:
            *value = c.stencil;
            return true;
        case EGL_SAMPLE_BUFFERS:
            *value = c.samples > 1;
            return true;
        case EGL_SAMPLES:
            *value = c.samples > 1 ? EGLint(c.samples) : 0;
            return true;
        case EGL_CONFIG_ID:
            *value = c.id;
            return true;
        case EGL_SURFACE_TYPE:
            *value = c.surface_type;
            return true;
        case EGL_NATIVE_VISUAL_ID:
            *value = windows ? c.native_visual_id : 0;
            return true;
        case EGL_NATIVE_VISUAL_TYPE:
            *value = EGL_NONE;
            return true;
        case EGL_RENDERABLE_TYPE:
        case EGL_CONFORMANT:
            *value = c.renderable_type;
            return true;
        case EGL_COLOR_BUFFER_TYPE:
            *value = EGL_RGB_BUFFER;
            return true;
        case EGL_COLOR_COMPONENT_TYPE_EXT:
            *value = c.is_float ? EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT : EGL_COLOR_COMPONENT_TYPE_FIXED_EXT;
            return true;
        case EGL_CONFIG_CAVEAT:
        case EGL_TRANSPARENT_TYPE:
            *value = EGL_NONE;
            return true;
        case EGL_MAX_PBUFFER_WIDTH:
        case EGL_MAX_PBUFFER_HEIGHT:
            *value = c.max_pbuffer;
            return true;
        case EGL_MAX_PBUFFER_PIXELS:
            *value = EGLint(std::min<int64_t>(int64_t(c.max_pbuffer) * c.max_pbuffer, INT32_MAX));
            return true;
        case EGL_MIN_SWAP_INTERVAL:
            *value = 0;
            return true;
        case EGL_MAX_SWAP_INTERVAL:
            *value = windows ? 1 : 0;
            return true;
        case EGL_LUMINANCE_SIZE:
        case EGL_ALPHA_MASK_SIZE:
        case EGL_BIND_TO_TEXTURE_RGB:
        case EGL_BIND_TO_TEXTURE_RGBA:
        case EGL_LEVEL:
        case EGL_NATIVE_RENDERABLE:
        case EGL_TRANSPARENT_RED_VALUE:
        case EGL_TRANSPARENT_GREEN_VALUE:
        case EGL_TRANSPARENT_BLUE_VALUE:
            *value = 0;
            return true;
        default:
            return false;
    }
}

bool choose_configs(const std::vector<Config>& configs, const EGLint* attributes,
                    std::vector<const Config*>* out, std::string* why) {
    Wanted wanted;
    for (size_t i = 0; i < kAttributeCount; ++i)
        wanted[i] = kAttributes[i].initial;
    for (const EGLint* a = attributes; a && *a != EGL_NONE; a += 2) {
        int i = attribute_index(a[0]);
        if (i < 0 || !value_valid(kAttributes[i], a[1])) {
            *why =
                "attribute " + enum_text(a[0]) +
                (i < 0 ? " is unknown"
                       : " has the bad value " + (a[1] >= 0x3000 ? enum_text(a[1]) : std::to_string(a[1])));
            return false;
        }
        wanted[size_t(i)] = a[1];
    }
    out->clear();
    for (const Config& c : configs)
        if (matches(c, wanted)) out->push_back(&c);
    std::stable_sort(out->begin(), out->end(),
                     [&](const Config* a, const Config* b) { return sorts_before(*a, *b, wanted); });
    if (out->empty()) *why = why_none(configs, wanted);
    return true;
}

}  // namespace terrazzo::egl
