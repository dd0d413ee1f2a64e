@testable import Trove

/// Runs `body`; nil when it ends in one of the errors that reading may end in.
func valueOrTypedError<Value>(_ what: String, _ body: () throws -> Value) throws -> Value? {
    do {
        return try body()
    } catch let error {
        // A fault becomes a `TroveError` where the model and the id are known.
        guard error is TroveError || error is StorageError || error is DecodingFault else {
            throw FuzzFailure("\(what): the error \(type(of: error)) is none of Trove's: \(error)")
        }
        // What it says is part of it.
        _ = "\(error)"
        return nil
    }
}

/// Runs `body`, which must not fail.
func mustSucceed<Value>(_ what: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw FuzzFailure("\(what): \(error)")
    }
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw FuzzFailure(what()) }
}

/// The bytes as people read them.
func hexadecimal(_ bytes: [UInt8]) -> String { StoredRecord.text(of: bytes) }
