import GRDB

extension StepJournal {
  /// The versions of the schema. A released version is never changed: each change is a new one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      // Seconds since 1970, in UTC.
      try db.execute(
        sql: """
          CREATE TABLE step (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            madeAt REAL NOT NULL,
            isUndone BOOLEAN NOT NULL DEFAULT 0
          );
          CREATE TABLE part (
            stepID INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
            photo BLOB NOT NULL,
            undo BLOB NOT NULL,
            redo BLOB NOT NULL
          );
          CREATE INDEX partOfStep ON part (stepID);
          """)
    }
    migrator.registerMigration("sessions and waiting parts") { db in
      try db.execute(
        sql: """
          ALTER TABLE step ADD COLUMN session INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE part ADD COLUMN isWaiting BOOLEAN NOT NULL DEFAULT 0;
          DROP INDEX partOfStep;
          CREATE INDEX partOfStep ON part (stepID, photo);
          CREATE INDEX waitingPart ON part (stepID) WHERE isWaiting;
          """)
    }
    migrator.registerMigration("final steps") { db in
      // An undone step is final if it can't be made again, because the user has made another one since.
      try db.execute(
        sql: """
          ALTER TABLE step ADD COLUMN isFinal BOOLEAN NOT NULL DEFAULT 0;
          UPDATE step SET isFinal = 1
            WHERE isUndone AND id < (SELECT coalesce(max(id), 0) FROM step WHERE NOT isUndone);
          """)
    }
    migrator.registerMigration("places of steps") { db in
      // Steps are undone and made again in the order of their places. The parts of a step that was stopped are two steps in one
      // place.
      try db.execute(
        sql: """
          ALTER TABLE step ADD COLUMN place INTEGER;
          UPDATE step SET place = id;
          """)
    }
    migrator.registerMigration("imported contents") { db in
      // The contents of files that parts of steps have imported. They outlive the steps.
      try db.execute(
        sql: """
          CREATE TABLE imported (
            size INTEGER NOT NULL, head TEXT NOT NULL, digest TEXT NOT NULL, stepID INTEGER NOT NULL, photo BLOB NOT NULL,
            PRIMARY KEY (size, head, digest, stepID, photo)
          ) WITHOUT ROWID;
          CREATE INDEX importedByPart ON imported (stepID, photo);
          """)
    }
    migrator.registerMigration("calls of other machines") { db in
      // The steps that a call has kept or turned, or the session that it has undone. A call that is repeated because its answer was lost has the same token.
      try db.execute(
        sql: """
          CREATE TABLE call (
            id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, numbers TEXT NOT NULL
          );
          CREATE TABLE outgoingCall (
            id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, machine TEXT NOT NULL, content BLOB NOT NULL
          );
          """)
    }
    return migrator
  }()
}
