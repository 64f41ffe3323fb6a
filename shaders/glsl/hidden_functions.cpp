// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/hidden_functions.h"

#include <algorithm>
#include <iterator>

namespace terrazzo::shaders::glsl {

namespace {

/// ESSL 3.20 section 8, sorted.
constexpr std::string_view kFunctions[] = {
    "abs",
    "acos",
    "acosh",
    "all",
    "any",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "atomicAdd",
    "atomicAnd",
    "atomicCompSwap",
    "atomicCounter",
    "atomicCounterDecrement",
    "atomicCounterIncrement",
    "atomicExchange",
    "atomicMax",
    "atomicMin",
    "atomicOr",
    "atomicXor",
    "barrier",
    "bitCount",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "cross",
    "dFdx",
    "dFdy",
    "degrees",
    "determinant",
    "distance",
    "dot",
    "equal",
    "exp",
    "exp2",
    "faceforward",
    "findLSB",
    "findMSB",
    "floatBitsToInt",
    "floatBitsToUint",
    "floor",
    "fma",
    "fract",
    "frexp",
    "fwidth",
    "greaterThan",
    "greaterThanEqual",
    "groupMemoryBarrier",
    "imageAtomicAdd",
    "imageAtomicAnd",
    "imageAtomicCompSwap",
    "imageAtomicExchange",
    "imageAtomicMax",
    "imageAtomicMin",
    "imageAtomicOr",
    "imageAtomicXor",
    "imageLoad",
    "imageSize",
    "imageStore",
    "imulExtended",
    "intBitsToFloat",
    "interpolateAtCentroid",
    "interpolateAtOffset",
    "interpolateAtSample",
    "inverse",
    "inversesqrt",
    "isinf",
    "isnan",
    "ldexp",
    "length",
    "lessThan",
    "lessThanEqual",
    "log",
    "log2",
    "matrixCompMult",
    "max",
    "memoryBarrier",
    "memoryBarrierAtomicCounter",
    "memoryBarrierBuffer",
    "memoryBarrierImage",
    "memoryBarrierShared",
    "min",
    "mix",
    "mod",
    "modf",
    "normalize",
    "not",
    "notEqual",
    "outerProduct",
    "packHalf2x16",
    "packSnorm2x16",
    "packSnorm4x8",
    "packUnorm2x16",
    "packUnorm4x8",
    "pow",
    "radians",
    "reflect",
    "refract",
    "round",
    "roundEven",
    "sign",
    "sin",
    "sinh",
    "smoothstep",
    "sqrt",
    "step",
    "tan",
    "tanh",
    "texelFetch",
    "texelFetchOffset",
    "texture",
    "textureGather",
    "textureGatherOffset",
    "textureGatherOffsets",
    "textureGrad",
    "textureGradOffset",
    "textureLod",
    "textureLodOffset",
    "textureOffset",
    "textureProj",
    "textureProjGrad",
    "textureProjGradOffset",
    "textureProjLod",
    "textureProjLodOffset",
    "textureProjOffset",
    "textureSize",
    "transpose",
    "trunc",
    "uaddCarry",
    "uintBitsToFloat",
    "umulExtended",
    "unpackHalf2x16",
    "unpackSnorm2x16",
    "unpackSnorm4x8",
    "unpackUnorm2x16",
    "unpackUnorm4x8",
    "usubBorrow",
};
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions)));

bool is_built_in_function(std::string_view s) {
    return std::binary_search(std::begin(kFunctions), std::end(kFunctions), s);
}

}  // namespace

std::string_view HiddenFunctions::declared(const Token& t, unsigned nesting) {
    const bool ends = t.text == ";" || t.text == "," || t.text == "=" || t.text == "[";
    const bool variable = ends && (before_is_name_ || before_last_ == "]" || before_last_ == ",");
    const bool structure = t.text == "{" && before_last_ == "struct";
    std::string_view name;
    if (nesting == 0 && last_is_name_ && (variable || structure) && !hidden_.count(last_) &&
        is_built_in_function(last_)) {
        name = last_;
        hidden_.insert(name);
    }
    before_last_ = last_;
    before_is_name_ = last_is_name_;
    last_ = t.text;
    last_is_name_ = t.name;
    return name;
}

}  // namespace terrazzo::shaders::glsl
