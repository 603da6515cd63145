// The correctly rounded natural logarithm of an exact sum.
#ifndef ONNX_REDUCE_EXACT_LOG_H_
#define ONNX_REDUCE_EXACT_LOG_H_

#include "exact_sum.h"

namespace onnx_reduce {

// ln of an exact sum that is not zero, rounded once to `format`, as bits.
// Ziv's strategy (1991): more and more bits until both ends of the error
// interval round to the same number. It ends, as ln of a rational number other
// than 1 is transcendental, so never a tie nor a representable number.
uint64_t round_log(ExactSum& sum, const Format& format);

}  // namespace onnx_reduce

#endif  // ONNX_REDUCE_EXACT_LOG_H_
