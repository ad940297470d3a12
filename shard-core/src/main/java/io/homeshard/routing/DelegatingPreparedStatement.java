package io.homeshard.routing;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;

/** The parameters of a prepared statement, handed on. */
abstract class DelegatingPreparedStatement extends RoutedStatement implements PreparedStatement {
    private final PreparedStatement delegate;

    DelegatingPreparedStatement(RoutedConnection connection, PreparedStatement delegate) {
        super(connection, delegate);
        this.delegate = delegate;
    }

    @Override
    public void setNull(int index, int type) throws SQLException {
        delegate.setNull(index, type);
    }

    @Override
    public void setBoolean(int index, boolean value) throws SQLException {
        delegate.setBoolean(index, value);
    }

    @Override
    public void setByte(int index, byte value) throws SQLException {
        delegate.setByte(index, value);
    }

    @Override
    public void setShort(int index, short value) throws SQLException {
        delegate.setShort(index, value);
    }

    @Override
    public void setInt(int index, int value) throws SQLException {
        delegate.setInt(index, value);
    }

    @Override
    public void setLong(int index, long value) throws SQLException {
        delegate.setLong(index, value);
    }

    @Override
    public void setFloat(int index, float value) throws SQLException {
        delegate.setFloat(index, value);
    }

    @Override
    public void setDouble(int index, double value) throws SQLException {
        delegate.setDouble(index, value);
    }

    @Override
    public void setBigDecimal(int index, BigDecimal value) throws SQLException {
        delegate.setBigDecimal(index, value);
    }

    @Override
    public void setString(int index, String value) throws SQLException {
        delegate.setString(index, value);
    }

    @Override
    public void setBytes(int index, byte[] value) throws SQLException {
        delegate.setBytes(index, value);
    }

    @Override
    public void setDate(int index, Date value) throws SQLException {
        delegate.setDate(index, value);
    }

    @Override
    public void setTime(int index, Time value) throws SQLException {
        delegate.setTime(index, value);
    }

    @Override
    public void setTimestamp(int index, Timestamp value) throws SQLException {
        delegate.setTimestamp(index, value);
    }

    @Override
    public void setAsciiStream(int index, InputStream value, int length) throws SQLException {
        delegate.setAsciiStream(index, value, length);
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public void setUnicodeStream(int index, InputStream value, int length) throws SQLException {
        delegate.setUnicodeStream(index, value, length);
    }

    @Override
    public void setBinaryStream(int index, InputStream value, int length) throws SQLException {
        delegate.setBinaryStream(index, value, length);
    }

    @Override
    public void clearParameters() throws SQLException {
        delegate.clearParameters();
    }

    @Override
    public void setObject(int index, Object value, int type) throws SQLException {
        delegate.setObject(index, value, type);
    }

    @Override
    public void setObject(int index, Object value) throws SQLException {
        delegate.setObject(index, value);
    }

    @Override
    public void addBatch() throws SQLException {
        delegate.addBatch();
    }

    @Override
    public void setCharacterStream(int index, Reader value, int length) throws SQLException {
        delegate.setCharacterStream(index, value, length);
    }

    @Override
    public void setRef(int index, Ref value) throws SQLException {
        delegate.setRef(index, value);
    }

    @Override
    public void setBlob(int index, Blob value) throws SQLException {
        delegate.setBlob(index, value);
    }

    @Override
    public void setClob(int index, Clob value) throws SQLException {
        delegate.setClob(index, value);
    }

    @Override
    public void setArray(int index, Array value) throws SQLException {
        delegate.setArray(index, value);
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return delegate.getMetaData();
    }

    @Override
    public void setDate(int index, Date value, Calendar calendar) throws SQLException {
        delegate.setDate(index, value, calendar);
    }

    @Override
    public void setTime(int index, Time value, Calendar calendar) throws SQLException {
        delegate.setTime(index, value, calendar);
    }

    @Override
    public void setTimestamp(int index, Timestamp value, Calendar calendar) throws SQLException {
        delegate.setTimestamp(index, value, calendar);
    }

    @Override
    public void setNull(int index, int type, String typeName) throws SQLException {
        delegate.setNull(index, type, typeName);
    }

    @Override
    public void setURL(int index, URL value) throws SQLException {
        delegate.setURL(index, value);
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return delegate.getParameterMetaData();
    }

    @Override
    public void setRowId(int index, RowId value) throws SQLException {
        delegate.setRowId(index, value);
    }

    @Override
    public void setNString(int index, String value) throws SQLException {
        delegate.setNString(index, value);
    }

    @Override
    public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate.setNCharacterStream(index, value, length);
    }

    @Override
    public void setNClob(int index, NClob value) throws SQLException {
        delegate.setNClob(index, value);
    }

    @Override
    public void setClob(int index, Reader value, long length) throws SQLException {
        delegate.setClob(index, value, length);
    }

    @Override
    public void setBlob(int index, InputStream value, long length) throws SQLException {
        delegate.setBlob(index, value, length);
    }

    @Override
    public void setNClob(int index, Reader value, long length) throws SQLException {
        delegate.setNClob(index, value, length);
    }

    @Override
    public void setSQLXML(int index, SQLXML value) throws SQLException {
        delegate.setSQLXML(index, value);
    }

    @Override
    public void setObject(int index, Object value, int type, int scale) throws SQLException {
        delegate.setObject(index, value, type, scale);
    }

    @Override
    public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
        delegate.setAsciiStream(index, value, length);
    }

    @Override
    public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
        delegate.setBinaryStream(index, value, length);
    }

    @Override
    public void setCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate.setCharacterStream(index, value, length);
    }

    @Override
    public void setAsciiStream(int index, InputStream value) throws SQLException {
        delegate.setAsciiStream(index, value);
    }

    @Override
    public void setBinaryStream(int index, InputStream value) throws SQLException {
        delegate.setBinaryStream(index, value);
    }

    @Override
    public void setCharacterStream(int index, Reader value) throws SQLException {
        delegate.setCharacterStream(index, value);
    }

    @Override
    public void setNCharacterStream(int index, Reader value) throws SQLException {
        delegate.setNCharacterStream(index, value);
    }

    @Override
    public void setClob(int index, Reader value) throws SQLException {
        delegate.setClob(index, value);
    }

    @Override
    public void setBlob(int index, InputStream value) throws SQLException {
        delegate.setBlob(index, value);
    }

    @Override
    public void setNClob(int index, Reader value) throws SQLException {
        delegate.setNClob(index, value);
    }

    @Override
    public void setObject(int index, Object value, SQLType type, int scale) throws SQLException {
        delegate.setObject(index, value, type, scale);
    }

    @Override
    public void setObject(int index, Object value, SQLType type) throws SQLException {
        delegate.setObject(index, value, type);
    }
}
