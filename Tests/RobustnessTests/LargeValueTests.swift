import Foundation
import TestSupport
import Testing
import Trove

/// A value of 1 GiB is refused before anything is written. The system gives memory for its zeros only where they are touched.
@Suite(.serialized) struct LargeValueTests {
    private static let gibibyte = 1 << 30

    @Test(arguments: Engine.allCases) func refusedByTheEngine(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file())
        let value = Data(count: Self.gibibyte)
        try backend.write { writer in
            let keyspace = try writer.createKeyspace(named: "values")
            try writer.put([1], [1], in: keyspace)
            let key: [UInt8] = [2]
            let error = #expect(throws: StorageError.self) {
                try value.withUnsafeBytes { try writer.put(key.span.bytes, $0.bytes, in: keyspace) }
            }
            #expect(error?.name == "valueTooLarge")
            #expect(try !writer.contains(key, in: keyspace))
        }
        #expect(try backend.statistics().fileSize < 1 << 20)
        try backend.close()
    }
}
