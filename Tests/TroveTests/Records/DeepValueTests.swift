import Foundation
import TestSupport
import Testing

@testable import Trove

/// Values that nest deeper than 256 levels are errors, before the stack is full.
@Suite struct DeepValueTests {
    /// A list whose links encode themselves as keyed values.
    private indirect enum Chain: Codable, Hashable, Sendable {
        case end
        case link(Chain)

        init(depth: Int) { self = (0..<depth).reduce(Chain.end) { chain, _ in .link(chain) } }
    }

    /// A value that stands for another one, without a level of its own.
    private final class Wrapper: Codable, Sendable {
        let inner: Wrapper?

        init(depth: Int) { inner = depth == 0 ? nil : Wrapper(depth: depth - 1) }
        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(Wrapper.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let inner { try container.encode(inner) } else { try container.encode(1) }
        }
    }

    @Test(arguments: [300, 5_000]) func codableValues(depth: Int) throws {
        #expect { try StoredValue(encoding: Chain(depth: depth)) } throws: { error in
            if case DecodingFault.unfit(let reason) = error { reason.contains("256 levels") } else { false }
        }
    }

    @Test(arguments: [600, 3_000]) func valuesThatStandForOthers(depth: Int) throws {
        #expect(throws: DecodingFault.self) { try StoredValue(encoding: Wrapper(depth: depth)) }
        #expect(throws: DecodingFault.self) { try StoredValue.int(1).decoded(as: Wrapper.self) }
    }

    @Test func whatFits() throws {
        let chain = Chain(depth: 60)
        #expect(try StoredValue(encoding: chain).decoded(as: Chain.self) == chain)
    }

    /// Arrays, names and keys of dictionaries alike.
    @Test(arguments: 0..<4) func storedValues(kind: Int) throws {
        var value = StoredValue.int(1)
        for _ in 0..<2_000 {
            value = switch kind {
            case 0: .array([value])
            case 1: .object(["a": value])
            case 2: .dictionary([.int(1): value])
            default: .dictionary([value: .int(1)])
            }
            if kind == 3, (try? value.nestedBytes(depth: 0)) == nil { break }
        }
        #expect { try value.nestedBytes(depth: 0) } throws: { if case DecodingFault.unfit = $0 { true } else { false } }
    }
}
