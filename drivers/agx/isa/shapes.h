// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The shapes of operands: which key bits mean a register, a uniform, an immediate. Facts: applegpu.py (the
// classes of operands); where it does not distinguish values, Mesa 25.0.7, agx_pack.c.
#pragma once
#include "drivers/agx/isa/info.h"

namespace terrazzo::agx::isa::row {

using Kind = OperandKind;
using enum Low;

inline constexpr uint8_t kFloatSigns = kAbs | kNeg;

// Destinations. The key is two bits: 1 is the cache hint, 2 means 32 bits.
inline constexpr Case kDst16Cases[] = {{0, Kind::kRegister, 16},
                                       {1, Kind::kRegister, 16, kAny, 0, 0, kCache}};
inline constexpr Case kDstCases[] = {
    {0, Kind::kRegister, 16},        {1, Kind::kRegister, 16, kAny, 0, 0, kCache},
    {2, Kind::kRegister, 32, kEven}, {3, Kind::kRegister, 32, kEven, 0, 0, kCache},
    {2, Kind::kRegister, 64, kOdd},  {3, Kind::kRegister, 64, kOdd, 0, 0, kCache}};
inline constexpr Case kDstPairCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kTwo},
                                         {1, Kind::kRegister, 16, kAny, 0, 0, kCache, Count::kTwo},
                                         {2, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kTwo},
                                         {3, Kind::kRegister, 32, kEven, 0, 0, kCache, Count::kTwo}};
inline constexpr Case kWideDstCases[] = {{0, Kind::kRegister, 32, kEven},
                                         {1, Kind::kRegister, 32, kEven, 0, 0, kCache}};
inline constexpr Shape kWideDst{kWideDstCases};
inline constexpr Shape kDst16{kDst16Cases}, kDst64{kDstCases}, kDstPair{kDstPairCases};
inline constexpr Shape kDst{std::span(kDstCases).first(4)};

// Sources. Of the key's four bits the upper two are the kind, the lower two the hint (registers) or the
// size and the highest bit of the number (uniforms).
inline constexpr Case kSourceCases[] = {{0, Kind::kImmediate},
                                        {1, Kind::kRegister, 16},
                                        {2, Kind::kRegister, 16, kAny, 0, 0, kCache},
                                        {3, Kind::kRegister, 16, kAny, 0, 0, kDiscard},
                                        {4, Kind::kUniform, 16},
                                        {5, Kind::kUniform, 16, kAny, 0, 256},
                                        {6, Kind::kUniform, 32, kEven},
                                        {7, Kind::kUniform, 32, kEven, 0, 256},
                                        {9, Kind::kRegister, 32, kEven},
                                        {10, Kind::kRegister, 32, kEven, 0, 0, kCache},
                                        {11, Kind::kRegister, 32, kEven, 0, 0, kDiscard},
                                        {13, Kind::kRegister, 64, kEven},
                                        {14, Kind::kRegister, 64, kEven, 0, 0, kCache},
                                        {15, Kind::kRegister, 64, kEven, 0, 0, kDiscard}};
inline constexpr Case kSourcePairCases[] = {{0, Kind::kImmediate},
                                            {1, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kTwo},
                                            {2, Kind::kRegister, 16, kAny, 0, 0, kCache, Count::kTwo},
                                            {3, Kind::kRegister, 16, kAny, 0, 0, kDiscard, Count::kTwo},
                                            {4, Kind::kUniform, 16},
                                            {5, Kind::kUniform, 16, kAny, 0, 256},
                                            {6, Kind::kUniform, 32, kEven},
                                            {7, Kind::kUniform, 32, kEven, 0, 256},
                                            {9, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kTwo},
                                            {10, Kind::kRegister, 32, kEven, 0, 0, kCache, Count::kTwo},
                                            {11, Kind::kRegister, 32, kEven, 0, 0, kDiscard, Count::kTwo}};
inline constexpr auto kUpTo32 = std::span<const Case>(kSourceCases).first(11);
// The 16-bit form of float sources has no bit 3, but uniforms of 32 bits.
inline constexpr auto kUpTo16 = std::span<const Case>(kSourceCases).first(8);
inline constexpr Shape kAlu{kUpTo32, 4}, kAlu64{kSourceCases, 4}, kAlu16{kUpTo16, 4};
inline constexpr Shape kMul{kUpTo32, 4, kSignExtend}, kAdd{kSourceCases, 4, kSignExtend};
inline constexpr Shape kFloat{kUpTo32, 4, kFloatSigns, Number::kFloat};
inline constexpr Shape kHalf{kUpTo16, 3, kFloatSigns, Number::kFloat};
inline constexpr Shape kFloatPair{kSourcePairCases, 4, kFloatSigns, Number::kFloat};

// What compare-and-select selects. The fourth bit of the key is the destination's size.
inline constexpr Case kSelectCases[] = {{4, Kind::kImmediate, 0, kAny, 0, 0, 0, Count::kOne, 7},
                                        {1, Kind::kRegister, 16},
                                        {2, Kind::kRegister, 16, kAny, 0, 0, kCache},
                                        {3, Kind::kRegister, 16, kAny, 0, 0, kDiscard},
                                        {6, Kind::kUniform, 16},
                                        {7, Kind::kUniform, 16, kAny, 0, 256},
                                        {9, Kind::kRegister, 32, kEven},
                                        {10, Kind::kRegister, 32, kEven, 0, 0, kCache},
                                        {11, Kind::kRegister, 32, kEven, 0, 0, kDiscard},
                                        {14, Kind::kUniform, 32, kEven},
                                        {15, Kind::kUniform, 32, kEven, 0, 256}};
inline constexpr Shape kSelect{kSelectCases};

// Numbers and states.
inline constexpr Case kNumberCases[] = {{0, Kind::kImmediate}};
inline constexpr Shape kNumber{kNumberCases}, kSignedNumber{kNumberCases, 0, 0, Number::kSigned};
inline constexpr Shape kWord{kNumberCases, 0, 0, Number::kWord};
inline constexpr Shape kTarget{kNumberCases, 0, 0, Number::kJump};
inline constexpr Case kSpecialCases[] = {{0, Kind::kSpecial}};
inline constexpr Case kTextureStateCases[] = {{0, Kind::kTextureState}};
inline constexpr Case kSamplerStateCases[] = {{0, Kind::kSamplerState}};
inline constexpr Shape kSpecialRegister{kSpecialCases}, kTextureStateNumber{kTextureStateCases};
inline constexpr Shape kSamplerStateNumber{kSamplerStateCases};

// Registers of one size. R32 has the number of a 32-bit register, EvenR32 of a half.
inline constexpr Case kR16Cases[] = {{0, Kind::kRegister, 16}};
inline constexpr Case kR32Cases[] = {{0, Kind::kRegister, 32, kAny, 1}};
inline constexpr Case kEvenR32Cases[] = {{0, Kind::kRegister, 32, kEven}};
inline constexpr Case kU64Cases[] = {{0, Kind::kUniform, 64, kAny, 1}};
inline constexpr Shape kR16{kR16Cases}, kR32{kR32Cases}, kEvenR32{kEvenR32Cases}, kU64{kU64Cases};
// The counter of the execution mask, always r0l.
inline constexpr Shape kCounter{kDst16Cases};

// A key of one bit.
inline constexpr Case kR16OrNumberCases[] = {{0, Kind::kRegister, 16}, {1, Kind::kImmediate}};
inline constexpr Case kNumberOrR16Cases[] = {{0, Kind::kImmediate}, {1, Kind::kRegister, 16}};
inline constexpr Case kIndexCases[] = {{0, Kind::kRegister, 32, kEven}, {1, Kind::kImmediate}};
inline constexpr Case kBaseCases[] = {{0, Kind::kRegister, 64, kEven}, {1, Kind::kUniform, 64, kEven}};
inline constexpr Case kCoefficientCases[] = {{0, Kind::kCoefficient}, {1, Kind::kRegister, 16}};
inline constexpr Case kSamplerCases[] = {{0, Kind::kSamplerState}, {1, Kind::kRegister, 16}};
inline constexpr Shape kR16OrNumber{kR16OrNumberCases}, kNumberOrR16{kNumberOrR16Cases},
    kSampler{kSamplerCases};
inline constexpr Shape kR16OrSigned{kR16OrNumberCases, 0, 0, Number::kSigned};
inline constexpr Shape kIndex{kIndexCases, 0, 0, Number::kSigned}, kBase{kBaseCases};
inline constexpr Shape kVaryingCoefficient{kCoefficientCases};
inline constexpr Shape kPerspectiveCoefficient{std::span(kCoefficientCases).first(1)};

// Several registers; the key is one bit, set for 32-bit registers.
inline constexpr Case kDataCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kMask},
                                      {1, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kMask},
                                      {0, Kind::kNone, 0, kZero, 0, 0, 0, Count::kNoMask}};
inline constexpr Case kFourCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kFour},
                                      {1, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kFour}};
inline constexpr Case kVaryingCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kComponents},
                                         {1, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kComponents}};
inline constexpr Case kTripleCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kCoefficients},
                                        {1, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kCoefficients}};
inline constexpr Case kDepthCases[] = {{0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kDepthStencil}};
inline constexpr Case kCopyCases[] = {{0, Kind::kRegister, 32, kAny, 1, 0, 0, Count::kCopy},
                                      {1, Kind::kUniform, 32, kAny, 1, 0, 0, Count::kCopy}};
inline constexpr Shape kData{kDataCases}, kFourData{kFourCases}, kVaryingData{kVaryingCases};
inline constexpr Shape kCoefficientData{kTripleCases}, kDepthData{kDepthCases}, kCopyRange{kCopyCases};

// The base of threadgroup memory.
inline constexpr Case kLocalBaseCases[] = {{0, Kind::kRegister, 16},
                                           {1, Kind::kUniform, 16},
                                           {2, Kind::kImmediate, 0, kZero},
                                           {3, Kind::kUniform, 16, kAny, 0, 256}};
inline constexpr Shape kLocalBase{kLocalBaseCases};

// Explicit coordinates of a pixel, two halves; the key is the flag that says so.
inline constexpr Case kPixelCases[] = {{0, Kind::kImmediate},
                                       {1, Kind::kRegister, 16, kEven, 0, 0, 0, Count::kTwo}};
inline constexpr Shape kPixelCoordinates{kPixelCases};

// Atomics: the old value, if bit 0 of the key (threadgroup memory: bit 1) is set. The values to combine are
// a pair for cmpxchg (operation 3, the key): the new one and the compared one.
inline constexpr Case kOldCases[] = {{0, Kind::kNone, 0, kZero}, {1, Kind::kRegister, 32, kEven}};
inline constexpr Case kLocalOldCases[] = {
    {0, Kind::kNone, 0, kZero}, {2, Kind::kRegister, 16}, {3, Kind::kRegister, 32, kEven}};
inline constexpr Case kNewCases[] = {{3, Kind::kRegister, 64, kEven, 0, 0, 0, Count::kOne, 15},
                                     {0, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kOne, 0}};
inline constexpr Shape kOld{kOldCases}, kLocalOld{kLocalOldCases}, kNew{kNewCases};

// The sample of an interpolation; the key is the mode.
inline constexpr Case kSampleCases[] = {
    {0, Kind::kNone, 0, kZero, 0, 0, 0, Count::kOne, 1}, {1, Kind::kImmediate}, {3, Kind::kRegister, 16}};
inline constexpr Shape kSample{kSampleCases};

// Textures. Keys: two bits of the texture (bit 1: bindless); the discard hint and the 16-bit form of
// coordinates; the mode of the level of detail; whether there is an offset, and a reference to compare
// with.
inline constexpr Case kTextureCases[] = {{0, Kind::kTextureState},
                                         {1, Kind::kRegister, 16},
                                         {2, Kind::kRegister, 16, kAny, 0, 0, kBindless},
                                         {3, Kind::kRegister, 32, kEven}};
inline constexpr Case kBindlessCases[] = {{0, Kind::kNone, 0, kZero}, {1, Kind::kUniform, 64, kAny, 2}};
inline constexpr Case kCoordinateCases[] = {
    {0, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kCoordinates},
    {0, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kMixedCoordinates},
    {1, Kind::kRegister, 32, kEven, 0, 0, kDiscard, Count::kCoordinates},
    {1, Kind::kRegister, 16, kAny, 0, 0, kDiscard, Count::kMixedCoordinates},
    {2, Kind::kRegister, 16, kAny, 0, 0, 0, Count::kHalfCoordinates},
    {3, Kind::kRegister, 16, kAny, 0, 0, kDiscard, Count::kHalfCoordinates}};
inline constexpr Case kLodCases[] = {{0, Kind::kNone, 0, kZero},
                                     {1, Kind::kUniform, 16},
                                     {2, Kind::kUniform, 16},
                                     {5, Kind::kRegister, 16},
                                     {6, Kind::kRegister, 16},
                                     {4, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kGradient},
                                     {12, Kind::kRegister, 32, kEven, 0, 0, 0, Count::kGradientMin}};
inline constexpr Case kExtraCases[] = {{0, Kind::kNone, 0, kZero},
                                       {1, Kind::kRegister, 16},
                                       {2, Kind::kRegister, 32, kEven},
                                       {3, Kind::kRegister, 16, kEven, 0, 0, 0, Count::kThree}};
inline constexpr Shape kTexture{kTextureCases}, kBindlessBase{kBindlessCases}, kCoordinate{kCoordinateCases};
inline constexpr Shape kLodOperand{kLodCases}, kExtra{kExtraCases};

}  // namespace terrazzo::agx::isa::row
