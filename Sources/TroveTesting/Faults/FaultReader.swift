import TroveStorage

/// A reader whose calls may fail.
final class FaultReader: FaultReading {
    let wrappedReader: any StorageReader
    let gate: FaultGate

    init(_ reader: any StorageReader, _ gate: FaultGate) {
        wrappedReader = reader
        self.gate = gate
    }
}
