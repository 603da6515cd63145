// ceil(e^k) for k = 1..81: floor(ln n) is the number of them that an integer n
// reaches. A float64 logarithm is off by one just below e^k from k = 33 on. The
// largest sum, 2^53 elements of below 2^64, is below e^82.
#ifndef ONNX_REDUCE_EXP_CEILINGS_H_
#define ONNX_REDUCE_EXP_CEILINGS_H_

#include <cstdint>

namespace onnx_reduce {

struct ExpCeiling {
  uint64_t high;
  uint64_t low;
};

inline constexpr int kExpCeilings = 81;
inline constexpr ExpCeiling kExpCeiling[kExpCeilings] = {
    {0x0ull, 0x3ull},
    {0x0ull, 0x8ull},
    {0x0ull, 0x15ull},
    {0x0ull, 0x37ull},
    {0x0ull, 0x95ull},
    {0x0ull, 0x194ull},
    {0x0ull, 0x449ull},
    {0x0ull, 0xba5ull},
    {0x0ull, 0x1fa8ull},
    {0x0ull, 0x560bull},
    {0x0ull, 0xe9e3ull},
    {0x0ull, 0x27bc3ull},
    {0x0ull, 0x6c02eull},
    {0x0ull, 0x1259adull},
    {0x0ull, 0x31e19aull},
    {0x0ull, 0x87975full},
    {0x0ull, 0x1709349ull},
    {0x0ull, 0x3e9e442ull},
    {0x0ull, 0xaa36c7dull},
    {0x0ull, 0x1ceb088cull},
    {0x0ull, 0x4e9b87f7ull},
    {0x0ull, 0xd5ad6dcfull},
    {0x0ull, 0x244d5e677ull},
    {0x0ull, 0x62adfed52ull},
    {0x0ull, 0x10c3d3920aull},
    {0x0ull, 0x2d9264d2d5ull},
    {0x0ull, 0x7be08bdfdaull},
    {0x0ull, 0x150bba37964ull},
    {0x0ull, 0x39355c8c639ull},
    {0x0ull, 0x9b823857615ull},
    {0x0ull, 0x1a6b765d8ce0ull},
    {0x0ull, 0x47d0ff312d99ull},
    {0x0ull, 0xc3379a5392bdull},
    {0x0ull, 0x212a7c5e743dfull},
    {0x0ull, 0x5a278886f2357ull},
    {0x0ull, 0xf510ad0e906bcull},
    {0x0ull, 0x29a27f76340034ull},
    {0x0ull, 0x712ccd185f319dull},
    {0x0ull, 0x133a43d282a5193ull},
    {0x0ull, 0x34441a72f2e5d52ull},
    {0x0ull, 0x8e12e446fb43126ull},
    {0x0ull, 0x1823255820115938ull},
    {0x0ull, 0x419ca8f27ae1c502ull},
    {0x0ull, 0xb25a0e369bc18ff4ull},
    {0x1ull, 0xe4cf766fe49be1b5ull},
    {0x5ull, 0x25d9ef0120f8d72aull},
    {0xdull, 0xfe4a8f5c5dbac4a8ull},
    {0x26ull, 0x9ad5d944a9675eaull},
    {0x67ull, 0x65c0422109427e1eull},
    {0x119ull, 0x103e4080b45664d8ull},
    {0x2fcull, 0x279a2288c16a04dull},
    {0x81cull, 0xcb294703a5f5e7ecull},
    {0x160dull, 0x4f6fdac7308d3d7bull},
    {0x3bf1ull, 0x8b5e2f7475b81c2full},
    {0xa2f1ull, 0x83b6b0b4c5b1baa3ull},
    {0x1baedull, 0x16a6e0da73071780ull},
    {0x4b3ffull, 0x7faf78684c6610ddull},
    {0xcc8ceull, 0x55f7e5b48735190full},
    {0x22c068ull, 0xb932a7c596f3d1efull},
    {0x5e76f2ull, 0x7714f19924caf2a7ull},
    {0x100c810ull, 0xd4640970ca837587ull},
    {0x2ba0127ull, 0x298b84ef4d2d5d55ull},
    {0x7695f7aull, 0x3c41e9ee62372709ull},
    {0x1425982cull, 0xf597cd205ce3d5b5ull},
    {0x36c3cb94ull, 0x74bc6165e1407e53ull},
    {0x94ddc12eull, 0xfe7c35d5f0ca2fadull},
    {0x194a90db0ull, 0xd6fe27ef7cda73ebull},
    {0x44bfb1d65ull, 0x61bf2a7476d7e1edull},
    {0xbae0ee234ull, 0xf1d7a598238e5e35ull},
    {0x1fbfd219c4ull, 0x3b04730797e2bfedull},
    {0x564db51386ull, 0x85170118fcfed236ull},
    {0xea98ec53f7ull, 0x3ce350b40b9b7d42ull},
    {0x27db3a4945aull, 0xa368d9c27f9d5b02ull},
    {0x6c573f96db8ull, 0x5edc6f75a14ce876ull},
    {0x1268038c2c0eull, 0x3733d798125787ull},
    {0x320894e6a8baull, 0x8fbeef9ef8242885ull},
    {0x880155b10c59ull, 0xbe67c82472ddaac6ull},
    {0x171b3540cbf92ull, 0x971ed0e2388a8fdull},
    {0x3ecf33d538829ull, 0x3812662cd92fe499ull},
    {0xaabbcdcc279f5ull, 0x9e45281da5471245ull},
    {0x1d01a210c44aa3ull, 0x9e108adb3da26c0bull},
};

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_EXP_CEILINGS_H_
